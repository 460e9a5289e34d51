const id = String.raw`/\d+`
const uuid = '/[0-9a-fA-F]+(?:-[0-9a-fA-F]+)+'
const collections = 'accounts|branches|broadcasts|builds|hooks|jobs|logs|repos|requests|users'
/** A repository by its id, or by its slug. */
const repository = String.raw`/repos/(?:\d+|[^/?]+%2[fF][^/?]+|[^/?]+/[^/?]+)`

/**
 * What a path of a collection, or of an id in one, looks like. A repository or branch can have a name
 * that ends in `.json`: only what is below a repository's slug is no name.
 */
const paths = [
  `/(?:${collections})(?:${id})?`,
  '/users/permissions',
  `${repository}/(?:branches|builds(?:${id})?|caches|key|settings)`,
  `(?:/repos)?/settings/env_vars(?:${uuid})?`,
  `/settings/ssh_key${id}`,
]

const withSuffix = new RegExp(String.raw`^(${paths.join('|')})\.json(?=$|\?)`)

/** The URL without `.json`, if its path ends in that and is none of a name; undefined otherwise. */
export function withoutJsonSuffix(url: string): string | undefined {
  return withSuffix.test(url) ? url.replace(withSuffix, '$1') : undefined
}
