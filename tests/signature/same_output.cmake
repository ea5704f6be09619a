# SPDX-License-Identifier: GPL-3.0-or-later
#
# cmake -DPROGRAMS=a,b,… -P same_output.cmake: every program prints the same, and does so a second time.
string(REPLACE "," ";" programs ${PROGRAMS})
set(expected "")
foreach(program IN LISTS programs programs)
    execute_process(COMMAND ${program} OUTPUT_VARIABLE output RESULT_VARIABLE status)
    if(status OR output STREQUAL "")
        message(FATAL_ERROR "${program} fails: ${status}")
    endif()
    if(expected STREQUAL "")
        set(expected "${output}")
    elseif(NOT output STREQUAL expected)
        message(FATAL_ERROR "${program} prints\n${output}\nbut the first one printed\n${expected}")
    endif()
endforeach()
message(STATUS "${expected}")
