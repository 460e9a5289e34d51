// What the table lacks, in the form in which it can be pasted.
import { callsOf, type Endpoint, type Generation, isRead } from '../endpoints.ts'
import { firstOf, pathsOf } from './paths.ts'

const files: Readonly<Record<Generation, string>> = {
  v2: 'test/http/endpoints/v2.ts',
  v3: 'test/http/endpoints/v3.ts',
  page: 'test/http/endpoints/pages.ts',
}

/** Paths below a repository: what they show is as visible as that, unless it has a flag of its own. */
const belongsToRepository = /^\/(?:repos?\/:|:owner\/:name)/

/** The row of an endpoint that is mounted: one for all of its paths. */
export function rowToAdd(generation: Generation, method: string, mounted: string): string {
  const path = firstOf(mounted)
  const name = `${method} ${path}`
  const endpoint = { generation, name, method, path, paths: pathsOf(path), row: { statuses: [] } }
  const calls = `calls: '${callsOf(endpoint)[0]}'`
  const statuses = belongsToRepository.test(path) ? 'ofRepository' : 'ofRecord'
  const row =
    method !== 'GET'
      ? `write('settings', changed, { ${calls} })`
      : generation === 'page'
        ? `{ statuses: ${statuses}, ${calls} }`
        : `read(${statuses}, 0, { ${calls} })`
  return `\n// ${files[generation]}; without \`calls\`, if it is called like that\n'${name}': ${row},`
}

/** What the row of an endpoint has to have and does not. */
export function lacking(endpoint: Endpoint): string[] {
  const { generation, name, method, row } = endpoint
  const needsStatements = generation !== 'page' && isRead(endpoint) && row.statements === undefined
  const needsScope = method !== 'GET' && row.scope === undefined
  return [
    ...(needsStatements ? [`'${name}': statements: 0, // as many as the failing test counts`] : []),
    ...(needsScope ? [`'${name}': scope: 'settings', // or 'builds', 'admin', 'none'`] : []),
  ]
}

/** Fails with such texts as they are, so that they can be pasted. */
export function expectNone(texts: readonly string[]): void {
  if (texts.length > 0) throw new Error([...new Set(texts)].join('\n'))
}
