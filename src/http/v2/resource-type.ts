/** How resources are labelled, which greetings and errors are not. */
export const resourceType = 'application/json;charset=utf-8'
