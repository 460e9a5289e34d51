import { listedParameters } from '../../openapi/parameters.ts'
import { type Action, expressionsIn, shownBy } from '../../v3/core/action.ts'

/** The values typed into the form of an action. */
export interface Typed {
  /** Values for the expressions of its templates. */
  address: Readonly<Record<string, string>>
  parameters: Readonly<Record<string, string>>
  token: string
}

export const nothingTyped: Typed = { address: {}, parameters: {}, token: '' }

/** The expressions of an action's templates, each once. */
export function addressFields({ templates }: Action): string[] {
  return [...new Set(templates.flatMap(expressionsIn))]
}

/** The parameters of an action, including those that choose how records are shown. */
export function parameterFields({ endpoint }: Action): string[] {
  const shown = shownBy(endpoint)
  const isList = shown.some((each) => 'collection' in each)
  return [
    ...listedParameters(endpoint).map(([name]) => name),
    ...(shown.length > 0 ? ['include'] : []),
    ...(isList ? ['representation'] : []),
  ]
}

/** Reads the typed values; fields that the form does not have are ignored. */
export function readTyped(action: Action, given: Readonly<Record<string, unknown>>): Typed {
  const textOf = (name: string) => {
    const value = given[name]
    return typeof value === 'string' ? value.trim() : ''
  }
  const filled = (names: readonly string[], kind: 'address' | 'parameter') =>
    Object.fromEntries(
      names
        .map((name) => [name, textOf(`${kind}.${name}`)] as const)
        .filter(([, value]) => value !== ''),
    )
  return {
    address: filled(addressFields(action), 'address'),
    parameters: filled(parameterFields(action), 'parameter'),
    token: textOf('api_token'),
  }
}
