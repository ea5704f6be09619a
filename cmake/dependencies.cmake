find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(SQLite3 REQUIRED)

# Debian's zstd ships no CMake package.
find_library(ZSTD_LIBRARY zstd REQUIRED)
find_path(ZSTD_INCLUDE_DIR zstd.h REQUIRED)
add_library(tsumugi_zstd INTERFACE)
target_link_libraries(tsumugi_zstd INTERFACE ${ZSTD_LIBRARY})
target_include_directories(tsumugi_zstd SYSTEM INTERFACE ${ZSTD_INCLUDE_DIR})

if(TSUMUGI_TESTS)
    find_package(GTest REQUIRED)
endif()
if(TSUMUGI_BENCHMARKS)
    find_package(benchmark REQUIRED)
endif()
