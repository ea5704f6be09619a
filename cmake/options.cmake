# What a developer can choose; CMakePresets.json holds the combinations in use.
option(TSUMUGI_TESTS "Build the tests" OFF)
option(TSUMUGI_UNITY "Compile several files at a time: whole builds are faster, changes of one file slower" ON)
option(TSUMUGI_BENCHMARKS "Build the micro-benchmarks" OFF)
option(TSUMUGI_FUZZ "Build the libFuzzer targets (needs clang)" OFF)
set(TSUMUGI_SANITIZE "" CACHE STRING "Sanitizers for -fsanitize=, e.g. address,undefined")
set(TSUMUGI_THREAD_TESTS "" CACHE STRING "With -fsanitize=thread: layers whose tests are built; empty for all")
set(TSUMUGI_PROFILE "" CACHE STRING "Profile-guided optimisation: generate or use")
set(TSUMUGI_PROFILE_DIR ${CMAKE_SOURCE_DIR}/build/profile CACHE PATH "Where profiles are kept between the two passes")
option(TSUMUGI_COVERAGE "Instrument for gcov" OFF)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g1")
# Optimising takes most of the compiler's time. It is spent where it is felt: released layers that only call others
# (COLD in tsumugi_layer) and most tests get little of it, and with sanitizers only what computes (HOT) gets any.
set(TSUMUGI_COLD_FLAGS $<$<CONFIG:Release>:-O1>)
set(TSUMUGI_EXCEPT_COLD_FLAGS $<$<CONFIG:Release>:-O3>)
set(TSUMUGI_HOT_FLAGS $<$<CONFIG:Debug>:-O1>)

# Everything our own code is compiled with. Warnings are errors: both compilers must stay silent.
add_library(tsumugi_flags INTERFACE)
target_compile_options(tsumugi_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual -Werror)
target_include_directories(tsumugi_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # Our tables are constexpr; clang counts evaluation steps where g++ counts loop iterations.
    target_compile_options(tsumugi_flags INTERFACE -fconstexpr-steps=100000000)
    # The presets with sanitizers link some forty large programs.
    target_link_options(tsumugi_flags INTERFACE -fuse-ld=lld)
    if(TSUMUGI_UNITY)
        # It takes a name of the file before for shadowed; g++ is content, and the preset clang compiles file by file.
        target_compile_options(tsumugi_flags INTERFACE -Wno-shadow)
    endif()
else()
    # g++ 12 sees an overlap in every `"literal" + std::string` (GCC bug 105651), and uninitialised values in every
    # std::optional that is tested before use (GCC bug 80635).
    target_compile_options(tsumugi_flags INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
    target_compile_options(tsumugi_flags INTERFACE -fconstexpr-ops-limit=1000000000 -fconstexpr-loop-limit=1000000)
    # objcopy cannot make a "unique" symbol local, and tsumugi_program() needs every symbol local.
    target_compile_options(tsumugi_flags INTERFACE -fno-gnu-unique)
endif()
if(TSUMUGI_SANITIZE)
    target_compile_options(tsumugi_flags INTERFACE -fsanitize=${TSUMUGI_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(tsumugi_flags INTERFACE -fsanitize=${TSUMUGI_SANITIZE})
    if(TSUMUGI_SANITIZE MATCHES undefined)
        # AddressSanitizer stops at a null pointer anyway, and these checks take a third of the compiler's time.
        target_compile_options(tsumugi_flags INTERFACE
            -fno-sanitize=null,vptr,object-size,returns-nonnull-attribute,nonnull-attribute)
    endif()
endif()
if(TSUMUGI_COVERAGE)
    target_compile_options(tsumugi_flags INTERFACE --coverage)
    target_link_options(tsumugi_flags INTERFACE --coverage)
endif()
if(TSUMUGI_PROFILE STREQUAL "generate")
    target_compile_options(tsumugi_flags INTERFACE -fprofile-generate=${TSUMUGI_PROFILE_DIR} -fprofile-update=atomic)
    target_link_options(tsumugi_flags INTERFACE -fprofile-generate=${TSUMUGI_PROFILE_DIR})
elseif(TSUMUGI_PROFILE STREQUAL "use")
    target_compile_options(tsumugi_flags INTERFACE -fprofile-use=${TSUMUGI_PROFILE_DIR} -fprofile-partial-training -Wno-missing-profile)
endif()
