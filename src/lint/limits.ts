/** Most bytes of a build file, or of the request body that contains it. */
export const mostBytes = 256 * 1024

/** Most values in a build file: they determine the time. Of 2,000 real files the largest has 1,400. */
export const mostValues = 7000
