import type { Context } from './context/context.ts'
import type { Finding } from './finding.ts'
import { findingOfAdvice, type LintedFile } from './finding-of.ts'
import { rules as allRules } from './rules/index.ts'
import type { Advice, Rule } from './rules/rule.ts'

/** What the rules find in a file. What several jobs share by an alias is reported once. */
export function advise(
  context: Context,
  file: LintedFile,
  rules: readonly Rule[] = allRules,
): Finding[] {
  const findings = rules.flatMap((rule) =>
    [...rule.check(context)].map((advice) =>
      findingOfAdvice(rule, { ...advice, ...spanOf(advice, context) }, file),
    ),
  )
  return [...new Map(findings.map((finding) => [identity(finding), finding])).values()]
}

/** Where an advice is about, by its path if it does not say itself. */
function spanOf({ at, about, path }: Advice, { spanOf, keySpanOf }: Context): Pick<Advice, 'at'> {
  const span = at ?? (about === 'key' ? keySpanOf(path) : spanOf(path))
  return span ? { at: span } : {}
}

function identity({ code, message, line, column }: Finding): string {
  return JSON.stringify([code, message, line, column])
}
