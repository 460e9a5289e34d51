import type { Endpoint } from '../endpoint.ts'

/** Something that can be done with a resource. */
export interface Action {
  resource: string
  name: string
  /** The variants of its path, as the home document lists them. */
  templates: readonly string[]
  /** Accepted names: of the query for GET, of the body's members otherwise. */
  params: readonly string[]
  endpoint: Endpoint
}

export function action(
  resource: string,
  name: string,
  rest: Omit<Action, 'resource' | 'name'>,
): Action {
  return { resource, name, ...rest }
}
