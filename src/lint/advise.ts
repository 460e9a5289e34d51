import type { Context } from './context.ts'
import type { Finding } from './finding.ts'
import { findingOfAdvice, type Source } from './finding-of.ts'
import { rules as allRules } from './rules/index.ts'
import type { Advice, Rule } from './rules/rule.ts'

/** What the rules find in a file. */
export function advise(
  context: Context,
  source: Source,
  rules: readonly Rule[] = allRules,
): Finding[] {
  return rules.flatMap((rule) =>
    [...rule.check(context)].map((advice) =>
      findingOfAdvice(rule, { ...advice, ...placeOf(advice, context) }, source),
    ),
  )
}

/** Where an advice is about, by its path if it does not say so. */
function placeOf(
  { at, about, path }: Advice,
  { placeOf, keyPlaceOf }: Context,
): Pick<Advice, 'at'> {
  const place = at ?? (about === 'key' ? keyPlaceOf(path) : placeOf(path))
  return place ? { at: place } : {}
}
