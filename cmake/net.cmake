# The default net becomes part of the program: the assembler copies the file into the read-only data, which takes no time
# to compile. Without a net the two symbols are equal and the program falls back on counting material.
file(GLOB default_net CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/nets/default.nnue)
set(TSUMUGI_INCLUDE_NET "")
if(default_net)
    set(TSUMUGI_INCLUDE_NET ".incbin \\\"${default_net}\\\"\\n")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/net.cpp.in ${CMAKE_BINARY_DIR}/generated/default_net.cpp @ONLY)
add_library(tsumugi_default_net STATIC ${CMAKE_BINARY_DIR}/generated/default_net.cpp)
if(default_net)
    set_source_files_properties(${CMAKE_BINARY_DIR}/generated/default_net.cpp PROPERTIES OBJECT_DEPENDS ${default_net})
endif()

# The kernels of the networks and of their training are chosen at run time, whatever the rest of the program is compiled for.
set(kernels ${CMAKE_SOURCE_DIR}/src/eval/nnue/kernel)
set(training_kernels ${CMAKE_SOURCE_DIR}/src/learn/train/kernel)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set_source_files_properties(${kernels}/scalar.cpp ${kernels}/x86/sse41.cpp PROPERTIES COMPILE_OPTIONS -march=x86-64-v2)
    set_source_files_properties(${kernels}/x86/avx2.cpp ${training_kernels}/x86/avx2.cpp PROPERTIES COMPILE_OPTIONS "-march=x86-64-v3;-mtune=znver3")
    set(avx512_options -march=x86-64-v4 -mavx512vnni)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # g++ 12 takes the "undefined" operand in its own intrinsics for a mistake of ours (GCC bug 105593).
        list(APPEND avx512_options -Wno-uninitialized -Wno-maybe-uninitialized)
    endif()
    set_source_files_properties(${kernels}/x86/avx512.cpp ${training_kernels}/x86/avx512.cpp PROPERTIES COMPILE_OPTIONS "${avx512_options}")
    set(TSUMUGI_FOREIGN_SOURCES "/kernel/other/")
else()
    set(TSUMUGI_FOREIGN_SOURCES "/kernel/x86/")
endif()
