import type { Annotation } from '../../codehost/codehost.ts'
import { type MessageLevel, withoutDefaults, type RequestMessage } from '../../domain/request.ts'
import { byLevel } from '../../lint/finding.ts'
import { lintText } from '../../lint/lint-text.ts'
import { rules } from '../../lint/rules/index.ts'
import { buildFilePath } from '../build-file/read-config.ts'

/** Something to show about a build file: what was stored with the request, or advice on it. */
export interface CheckFinding {
  level: MessageLevel
  code: string
  text: string
  src: string
  line: number | null
  column: number | null
  /** What would mend it. */
  fix: string | null
}

const adviceCodes = new Set(rules.map(({ code }) => code))

/**
 * What the check run shows (D31): the messages of the request and, of the build file itself, advice
 * and fixes. The worst comes first.
 */
export function shownFindings(
  messages: readonly RequestMessage[],
  text: string | null,
): CheckFinding[] {
  const findings =
    text === null ? [] : lintText(text, { advice: true, file: buildFilePath }).findings
  const fixes = new Map(findings.map((finding) => [placeOf(finding), finding.fix?.title ?? null]))
  const stored = messages.map(({ level, code, text, src, line, column }): CheckFinding => {
    const fix = src === buildFilePath ? (fixes.get(placeOf({ code, line, column })) ?? null) : null
    return { level, code, text, src, line, column, fix }
  })
  const advice = findings
    .filter(({ code }) => adviceCodes.has(code))
    .map(({ level, code, message, file, line, column, fix }): CheckFinding => {
      return { level, code, text: message, src: file, line, column, fix: fix?.title ?? null }
    })
  return withoutDefaults([...stored, ...advice]).toSorted(byLevel)
}

function placeOf({ code, line, column }: Pick<CheckFinding, 'code' | 'line' | 'column'>): string {
  return `${code} ${line} ${column}`
}

const levels = {
  alert: 'failure',
  error: 'failure',
  warn: 'warning',
  info: 'notice',
} as const satisfies Record<MessageLevel, Annotation['level']>

/** Code hosts take this many annotations in one call. */
const mostAnnotations = 50

/** At the lines of this commit's files; what stands in another repository has none here. */
export function annotationsOf(shown: readonly CheckFinding[]): Annotation[] {
  return shown
    .flatMap(({ level, code, text, src, line, column, fix }) => {
      if (line === null || src.includes(':')) return []
      const columns = column === null ? {} : { start_column: column, end_column: column }
      const message = fix === null ? text : `${text}\n\n${mend(fix)}`
      const lines = { start_line: line, end_line: line }
      return [{ path: src, ...lines, ...columns, level: levels[level], title: code, message }]
    })
    .slice(0, mostAnnotations)
}

const mend = (fix: string) => `Suggestion: ${fix} (build-service lint --fix does it).`

/** All of it as a list, for those who look at the check itself. */
export function summaryOf(shown: readonly CheckFinding[]): string {
  return shown
    .map(({ level, text, src, line }) => {
      const place = line === null ? src : `${src}:${line}`
      return `- **${level}** ${place} ${text}`
    })
    .join('\n')
}
