import { namesSecret } from '../buildfile/schema/secret-keys.ts'
import { withoutSecrets } from './secret-shapes.ts'

const variable = /\benv\(\s*([\w-]+)\s*\)/g

/** A condition for texts that people see: without what a secret is compared with. */
export function shownCondition(condition: string): string {
  const found = secretVariableIn(condition)
  return found ? `${found[0]} …` : withoutSecrets(condition)
}

/** The first variable of a condition whose name says that it is a secret, as it stands there. */
export function secretVariableIn(condition: string): RegExpMatchArray | undefined {
  return [...condition.matchAll(variable)].find(([, name = '']) => namesSecret(name))
}
