/** The most bytes of a body with a build file. */
export const mostBytes = 256 * 1024
