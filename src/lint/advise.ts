import type { Context } from './context/context.ts'
import type { Finding } from './finding.ts'
import { findingOfAdvice, type Source } from './finding-of.ts'
import { rules as allRules } from './rules/index.ts'
import type { Advice, Rule } from './rules/rule.ts'

/** What the rules find in a file. What several jobs share by an alias is told of once. */
export function advise(
  context: Context,
  source: Source,
  rules: readonly Rule[] = allRules,
): Finding[] {
  const findings = rules.flatMap((rule) =>
    [...rule.check(context)].map((advice) =>
      findingOfAdvice(rule, { ...advice, ...placeOf(advice, context) }, source),
    ),
  )
  return [...new Map(findings.map((finding) => [identity(finding), finding])).values()]
}

/** Where an advice is about, by its path if it does not say so. */
function placeOf(
  { at, about, path }: Advice,
  { placeOf, keyPlaceOf }: Context,
): Pick<Advice, 'at'> {
  const place = at ?? (about === 'key' ? keyPlaceOf(path) : placeOf(path))
  return place ? { at: place } : {}
}

function identity({ code, message, line, column }: Finding): string {
  return JSON.stringify([code, message, line, column])
}
