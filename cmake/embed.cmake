# Files that become part of the program: the assembler copies them into the read-only data, which takes no time to compile.
# tsumugi_embed(NAME FILE) makes the library tsumugi_NAME with the symbols tsumugi_NAME_begin and tsumugi_NAME_end, which are
# equal when there is no such file.
function(tsumugi_embed name file)
    file(GLOB found CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${file})
    set(TSUMUGI_EMBEDDED_NAME tsumugi_${name})
    set(TSUMUGI_EMBEDDED_CONTENT "")
    if(found)
        set(TSUMUGI_EMBEDDED_CONTENT ".incbin \\\"${found}\\\"\\n")
    endif()
    set(source ${CMAKE_BINARY_DIR}/generated/${name}.cpp)
    configure_file(${CMAKE_SOURCE_DIR}/cmake/embed.cpp.in ${source} @ONLY)
    add_library(tsumugi_${name} STATIC ${source})
    if(found)
        set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS ${found})
    endif()
endfunction()
