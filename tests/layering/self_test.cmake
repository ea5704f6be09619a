# SPDX-License-Identifier: GPL-3.0-or-later
#
# cmake -DWORK=folder -P self_test.cmake
# The check of the layers must accept a small tree in order and refuse each way of breaking it.
cmake_minimum_required(VERSION 3.25)

# Plants a tree of three layers, each allowed to use the one before.
function(plant)
    file(REMOVE_RECURSE ${WORK})
    file(WRITE ${WORK}/CMakeLists.txt
        "tsumugi_layer(low LIBRARIES fmt::fmt)\ntsumugi_layer(side USES low)\n"
        "tsumugi_layer(middle USES low)\ntsumugi_layer(high USES middle LIBRARIES side)\n")
    file(WRITE ${WORK}/src/low/a.hpp "#include <vector>\n")
    file(WRITE ${WORK}/src/side/s.hpp "#include \"low/a.hpp\"\n")
    file(WRITE ${WORK}/src/middle/b.hpp "#include \"low/a.hpp\"\n")
    file(WRITE ${WORK}/src/high/deep/c.cpp "#include \"middle/b.hpp\"\n#include \"low/a.hpp\"\n")
endfunction()

function(expect verdict what)
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${CMAKE_CURRENT_LIST_DIR}/check.cmake
        RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE said)
    if(status EQUAL 0)
        set(found accepted)
    else()
        set(found refused)
    endif()
    if(NOT found STREQUAL verdict)
        message(SEND_ERROR "${what}: expected '${verdict}', was ${found}\n${said}")
    endif()
endfunction()

plant()
expect(accepted "a tree in order, with a transitive use")

plant()
file(APPEND ${WORK}/src/low/a.hpp "#include \"middle/b.hpp\"\n")
expect(refused "a lower layer that includes a higher one")

plant()
file(APPEND ${WORK}/src/high/deep/c.cpp "  #  include \"side/s.hpp\"\n")
expect(refused "a layer that includes one it does not name, in a file further down")

plant()
file(WRITE ${WORK}/src/low/table.inl "#include \"high/deep/c.cpp\"\n")
expect(refused "an .inl file that includes a higher layer")

plant()
file(WRITE ${WORK}/src/middle/d.cpp "#include \"b.hpp\"\n")
expect(refused "a path that does not start at src/")

plant()
file(WRITE ${WORK}/src/stray/e.cpp "#include <vector>\n")
expect(refused "a folder that is no layer")

plant()
file(APPEND ${WORK}/CMakeLists.txt "tsumugi_layer(top USES later)\ntsumugi_layer(later)\n")
expect(refused "a layer that uses one declared below it")

file(REMOVE_RECURSE ${WORK})
