// Paths of the router, `/repos/:id/branches/*`, and the calls that reach them.

/** Endpoints with several paths, by how these begin: a row of the first stands for all of them. */
const alike: readonly (readonly [first: string, ...others: string[]])[] = [
  ['/repos/:id.svg', '/repos/:owner/:name.svg', '/:owner/:name.svg'],
  ['/repos/:id', '/repos/:owner/:name'],
  ['/settings/env_vars', '/repos/settings/env_vars'],
  ['/jobs/:job/log', '/jobs/:job/logs'],
  ['/repo/:repository', '/repo/:provider/:repository'],
  ['/owner/:login', '/owner/:provider/:login', '/owner/codehost_id/:codehost_id'],
]

/** All paths of an endpoint whose first one this is. */
export function pathsOf(first: string): string[] {
  const [beginning = '', ...others] = alike.find(([each]) => first.startsWith(each)) ?? []
  return [first, ...others.map((other) => other + first.slice(beginning.length))]
}

/** The first path of the endpoint that has this one. */
export function firstOf(path: string): string {
  for (const [first, ...others] of alike) {
    const other = others.find((each) => path.startsWith(each))
    if (other !== undefined) return first + path.slice(other.length)
  }
  return path
}

/** What the variables of paths name in a scene; `*` is the end of a path. */
export type Words = Readonly<Record<string, string>>

/** A path with the words of a scene; with the number 1 for what has none. */
export function filled(path: string, words: Words, other = (_name: string) => '1'): string {
  return path.replaceAll(/:(\w+)|\*/g, (_all, name = '*') => words[name] ?? other(name))
}

/** What a call has for the variables of a path, and as `query` what follows; undefined for other calls. */
export function wordsIn(path: string, call: string): Words | undefined {
  const pattern = path
    .replaceAll('.', '\\.')
    .replaceAll(/:(\w+)/g, '(?<$1>[^/?]+)')
    .replace('*', '.+')
  return new RegExp(`^${pattern}(?<query>\\?.*)?$`).exec(call)?.groups
}

/** The path that a call reaches: of those that fit, the one with the fewest variables. */
export function reached(paths: readonly string[], call: string): string | undefined {
  const variables = (path: string) => path.split(':').length
  return paths
    .filter((path) => wordsIn(path, call))
    .toSorted((a, b) => variables(a) - variables(b))[0]
}
