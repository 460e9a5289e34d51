import { moreAlike, mostAlike } from '../buildfile/messages/more-alike.ts'
import type { LintContext } from './context/context.ts'
import { commandTexts, sectionKeys } from './context/sections.ts'
import { findingOfAdvice, findingOfMessage, type LintedFile } from './finding-of.ts'
import type { Finding } from './finding.ts'
import { hideValues } from './hide-values.ts'
import { rules as allRules } from './rules/index.ts'
import type { Advice, LintRule } from './rules/rule.ts'

/** The findings of the rules in a file. */
export function advise(
  context: LintContext,
  file: LintedFile,
  rules: readonly LintRule[] = allRules,
): Finding[] {
  const keys = context.once(sectionKeys)
  const findings: Finding[] = []
  const isAsWritten = !escapes.test(context.text)
  for (const rule of rules) {
    if (rule.needs && !rule.needs.some((key) => keys.has(key))) continue
    if (rule.commands && !rule.commands.test(context.once(commandTexts))) continue
    if (rule.mentions && isAsWritten && !rule.mentions.test(context.text)) continue
    for (const finding of found(rule, context, file)) findings.push(finding)
  }
  return findings
}

/** Ways to write a value so that its words do not appear in the text. */
const escapes = /\\(?:[xuU]|\r?\n)|!!binary/

const none: readonly Finding[] = []

/** Findings of one rule. A finding that several jobs share through an alias is reported once. */
function found(rule: LintRule, context: LintContext, file: LintedFile): readonly Finding[] {
  // Most rules find nothing in most files.
  let findings: Map<string, Finding> | undefined
  for (const advice of rule.check(context)) {
    findings ??= new Map()
    const at = spanOf(advice, context)
    const finding = findingOfAdvice(rule, hideValues({ ...advice, ...at }, context, at.at), file)
    findings.set(`${finding.line}:${finding.column} ${finding.message}`, finding)
    if (findings.size < mostAlike) continue
    return [...findings.values(), findingOfMessage(moreAlike(rule.level, rule.code), file)]
  }
  return findings ? [...findings.values()] : none
}

/** The span of an advice: its own, or else the position of its path. */
function spanOf(
  { at, about, path }: Advice,
  { spanOf, keySpanOf }: LintContext,
): Pick<Advice, 'at'> {
  const span = at ?? (about === 'key' ? keySpanOf(path) : spanOf(path))
  return span ? { at: span } : {}
}
