# tsumugi_layer(NAME [HOT|COLD] [EXCEPT regex] [APART regex] [USES layer…] [LIBRARIES target…])
# One static library per instruction set from src/NAME/**.cpp, called NAME.ISA. A hot layer computes, a cold one only
# calls what does (options.cmake), but for files whose names match EXCEPT. Files are compiled several at a time, except
# for big ones whose names match APART.
function(tsumugi_layer name)
    cmake_parse_arguments(ARG "HOT;COLD" "APART;EXCEPT" "USES;LIBRARIES" ${ARGN})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cpp)
    list(FILTER sources EXCLUDE REGEX "/app/dispatch/")
    list(FILTER sources EXCLUDE REGEX "${TSUMUGI_FOREIGN_SOURCES}")
    if(ARG_APART)
        set(apart ${sources})
        list(FILTER apart INCLUDE REGEX ${ARG_APART})
        set_source_files_properties(${apart} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
    if(ARG_EXCEPT)
        set(computing ${sources})
        list(FILTER computing INCLUDE REGEX ${ARG_EXCEPT})
        set_source_files_properties(${computing} PROPERTIES COMPILE_OPTIONS "${TSUMUGI_EXCEPT_COLD_FLAGS}")
    endif()
    foreach(isa IN LISTS TSUMUGI_ISAS TSUMUGI_OTHER_ISAS)
        if(sources)
            add_library(${name}.${isa} STATIC ${sources})
            if(isa IN_LIST TSUMUGI_OTHER_ISAS)
                set_target_properties(${name}.${isa} PROPERTIES EXCLUDE_FROM_ALL ON)
            endif()
            set_target_properties(${name}.${isa} PROPERTIES UNITY_BUILD ${TSUMUGI_UNITY} UNITY_BUILD_BATCH_SIZE 12)
            set(scope PUBLIC)
            target_compile_options(${name}.${isa} PRIVATE ${TSUMUGI_FLAGS_${isa}} $<$<BOOL:${ARG_COLD}>:${TSUMUGI_COLD_FLAGS}>
                $<$<BOOL:${ARG_HOT}>:${TSUMUGI_HOT_FLAGS}>)
        else()
            add_library(${name}.${isa} INTERFACE)
            set(scope INTERFACE)
        endif()
        target_link_libraries(${name}.${isa} ${scope} tsumugi_flags ${ARG_LIBRARIES})
        foreach(lower IN LISTS ARG_USES)
            target_link_libraries(${name}.${isa} ${scope} ${lower}.${isa})
        endforeach()
        set_property(GLOBAL APPEND PROPERTY TSUMUGI_LAYERS_${isa} ${name}.${isa})
        set_property(GLOBAL APPEND PROPERTY TSUMUGI_LIBRARIES ${ARG_LIBRARIES})
    endforeach()
endfunction()

# tsumugi_executable(NAME [HOT] [ISA isa] LAYERS layer… SOURCES file…): a test, benchmark or fuzzer, hot if it computes much
# itself; for TSUMUGI_TEST_ISA if not said otherwise.
function(tsumugi_executable name)
    cmake_parse_arguments(ARG "HOT" "ISA" "LAYERS;SOURCES;LIBRARIES" ${ARGN})
    if(NOT ARG_ISA)
        set(ARG_ISA ${TSUMUGI_TEST_ISA})
    endif()
    add_executable(${name} ${ARG_SOURCES})
    target_compile_options(${name} PRIVATE ${TSUMUGI_FLAGS_${ARG_ISA}}
        $<IF:$<BOOL:${ARG_HOT}>,${TSUMUGI_HOT_FLAGS},${TSUMUGI_COLD_FLAGS}>)
    foreach(layer IN LISTS ARG_LAYERS)
        target_link_libraries(${name} PRIVATE ${layer}.${ARG_ISA})
    endforeach()
    target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} tsumugi_flags)
endfunction()

# tsumugi_program(NAME MAIN file…)
# Links every layer of one instruction set into a single relocatable object whose only visible symbol is
# tsumugi_main_ISA, and then the objects of all instruction sets and the dispatcher into one program.
# Making all other symbols local is what keeps an inline function compiled with AVX2 from being
# shared with the code for older processors. GNU ld does it for both compilers: lld cannot dissolve the
# groups that hold inline functions, and a group left whole is merged with its twin in the final link.
function(tsumugi_program name)
    cmake_parse_arguments(ARG "" "" "MAIN" ${ARGN})
    get_property(libraries GLOBAL PROPERTY TSUMUGI_LIBRARIES)
    list(REMOVE_DUPLICATES libraries)
    add_executable(${name} ${ARG_MAIN})
    target_link_libraries(${name} PRIVATE tsumugi_flags ${libraries})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
    if(TSUMUGI_SANITIZE)
        # For one instruction set there is nothing to keep apart, and instrumented code takes long to seal.
        get_property(layers GLOBAL PROPERTY TSUMUGI_LAYERS_${TSUMUGI_ISAS})
        target_link_libraries(${name} PRIVATE ${layers})
        target_link_options(${name} PRIVATE -Wl,--undefined=tsumugi_main -Wl,--defsym=tsumugi_main_${TSUMUGI_ISAS}=tsumugi_main)
        return()
    endif()
    foreach(isa IN LISTS TSUMUGI_ISAS)
        get_property(layers GLOBAL PROPERTY TSUMUGI_LAYERS_${isa})
        set(archives)
        foreach(layer IN LISTS layers)
            get_target_property(type ${layer} TYPE)
            if(type STREQUAL "STATIC_LIBRARY")
                list(APPEND archives $<TARGET_FILE:${layer}>)
            endif()
        endforeach()
        set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}-${isa}.o)
        add_custom_command(OUTPUT ${object}
            COMMAND ${CMAKE_CXX_COMPILER} -r -nostdlib -fuse-ld=bfd -o ${object}
                -Wl,--force-group-allocation -Wl,--whole-archive ${archives}
            COMMAND ${CMAKE_OBJCOPY} --redefine-sym tsumugi_main=tsumugi_main_${isa} ${object}
            COMMAND ${CMAKE_OBJCOPY} --keep-global-symbol=tsumugi_main_${isa} ${object}
            DEPENDS ${layers}
            COMMENT "Sealing the ${isa} program"
            VERBATIM)
        target_sources(${name} PRIVATE ${object})
        set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    endforeach()
endfunction()
