/** How resources are labelled, which greetings and errors are not (api-v2.1 5.1). */
export const resourceType = 'application/json;charset=utf-8'
