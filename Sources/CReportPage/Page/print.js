// print
