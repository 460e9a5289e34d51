import { v3Actions } from '../../src/http/v3/endpoints.ts'
import { openApi } from '../../src/http/v3/openapi/document.ts'

/** The operations of V3 by their paths; of paths that match, those with the fewest variables are meant. */
const { paths } = openApi(v3Actions, { url: '', version: '' })
const routes = Object.entries(paths)
  .map(([path, operations]) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
    variables: path.split('{').length - 1,
    operations,
  }))
  .toSorted((a, b) => a.variables - b.variables)

/** What is a fault of the service, and what says that there is no such call. */
const ofNone = ['server_error', 'method_not_allowed']

/**
 * Throws if V3 ends a call in an error that its document does not name for that call: it belongs into
 * `docs.fails`. Paths that are no call are left alone.
 */
export function expectDeclared(call: string, status: number, body: unknown): void {
  const { error_type: name } = Object(body) as { error_type?: string }
  if (name === undefined || ofNone.includes(name)) return
  const [method = '', url = ''] = call.split(' ', 2)
  const [path = ''] = url.replace(/^\/v3(?=\/)/, '').split('?')
  const matching = routes.filter(({ pattern }) => pattern.test(path))
  const possible = matching
    .filter(({ variables }) => variables === matching[0]?.variables)
    .flatMap(({ operations }) => operations[method.toLowerCase()] ?? [])
  if (possible.length === 0) return
  const isNamed = possible.some(({ responses }) =>
    responses[status]?.description.split(', ').includes(name),
  )
  if (!isNamed) throw new Error(`${call} is ${status} ${name}, which its document does not name`)
}
