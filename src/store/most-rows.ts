/** So many rows are inserted by one statement: it may have 65,535 parameters, and no table has over 65 columns. */
export const mostRows = 1000
