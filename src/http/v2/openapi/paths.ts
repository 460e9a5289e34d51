import type { DocumentedParameter } from './operation.ts'

/** A path of the router as OpenAPI writes it: `/repos/{id}/branches/{branch}`. */
export function documentedPath(path: string): string {
  return path
    .replaceAll(/\(\^.*?\$\)/g, '')
    .replaceAll(/:(\w+)/g, '{$1}')
    .replace(/\*$/, '{rest}')
}

const descriptions: Readonly<Record<string, string>> = {
  id: 'the id of a repository, or its slug with an escaped slash',
  owner: 'the name of the repository’s owner',
  name: 'the name of the repository',
  rest: 'the name of a branch, with its slashes',
}

export function pathParameters(path: string): DocumentedParameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...describe(path, name),
    schema: { type: 'string' },
  }))
}

function describe(path: string, name: string): { description?: string } {
  const description = path.startsWith('/repos/') ? descriptions[name] : undefined
  return description === undefined ? {} : { description }
}
