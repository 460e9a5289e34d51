import { namesSecret } from '../buildfile/schema/secret-keys.ts'
import { withoutTokens } from '../domain/text/token-shapes.ts'

const variable = /\benv\(\s*([\w-]+)\s*\)/g

/** A condition for display, without the value that a secret is compared with. */
export function shownCondition(condition: string): string {
  const found = secretVariableIn(condition)
  return found ? `${found[0]} …` : withoutTokens(condition)
}

/** The first variable of a condition with the name of a secret, as it is written there. */
export function secretVariableIn(condition: string): RegExpMatchArray | undefined {
  return [...condition.matchAll(variable)].find(([, name = '']) => namesSecret(name))
}
