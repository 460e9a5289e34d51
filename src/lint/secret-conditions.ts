import { namesSecret } from '../buildfile/schema/secret-keys.ts'

const variable = /\benv\(\s*([\w-]+)\s*\)/g

/** The first variable of a condition whose name says that it is a secret, as it stands there. */
export function secretVariableIn(condition: string): RegExpMatchArray | undefined {
  return [...condition.matchAll(variable)].find(([, name = '']) => namesSecret(name))
}
