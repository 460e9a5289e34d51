/** How often a page that still changes is loaded again, in seconds. */
export const refreshSeconds = 5
