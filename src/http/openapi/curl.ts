import type { Operation } from './operation.ts'

interface Made {
  method: string
  path: string
  operation: Operation
  /** The URL that paths are relative to. */
  base: string
}

/**
 * A shell command that makes a call with the examples of its document, and the caller's token in
 * `TOKEN`. Undefined for pages, and for reads of JSON, which need only their URL.
 */
export function curlOf({ method, path, operation, base }: Made): string | undefined {
  const { requestBody, parameters } = operation
  const type = successType(operation) ?? ''
  const isText = type.startsWith('text/plain')
  if (type.startsWith('text/html') || (method === 'GET' && !isText)) return undefined
  const example = requestBody?.content['application/json']?.example
  const body = example === undefined ? undefined : JSON.stringify(example)
  const examples = Object.fromEntries(
    parameters.map(({ name, example: value = '' }) => [name, String(value)]),
  )
  const inQuery = parameters.filter((each) => each.in === 'query' && each.example !== undefined)
  const query = new URLSearchParams(inQuery.map(({ name }) => [name, examples[name] ?? '']))
  const address = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => examples[name] ?? '')
  return [
    'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    // A token in the body makes the header unnecessary.
    ...(body?.includes('$TOKEN') ? [] : ['-H "Authorization: token $TOKEN"']),
    ...(isText ? ["-H 'Accept: text/plain'"] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(body)}`]),
    quoted(`${base}${address}${inQuery.length === 0 ? '' : `?${query}`}`),
  ].join(' ')
}

function successType({ responses }: Operation): string | undefined {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  return Object.keys(success?.content ?? {})[0]
}

/** Quotes a text as one shell word, in which only the token is a variable. */
function quoted(text: string): string {
  const word = /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
  return word.replaceAll('$TOKEN', `'"$TOKEN"'`)
}
