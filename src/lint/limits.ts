/** The most bytes of a build file, or of the body that it comes in. */
export const mostBytes = 256 * 1024

/** The most values in it: time goes by them. Of 2,000 real files the largest has 1,400. */
export const mostValues = 7000
