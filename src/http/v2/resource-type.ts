/** The content type of resources; the greeting and errors have a different one. */
export const resourceType = 'application/json;charset=utf-8'
