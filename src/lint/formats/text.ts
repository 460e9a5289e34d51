import type { MessageLevel } from '../../domain/request.ts'
import { byPlace, type Finding, type Report } from '../finding.ts'
import { visible } from '../quote.ts'
import { excerptOf } from './excerpt.ts'

export interface TextOptions {
  color: boolean
}

type Paint = (style: keyof typeof styles, text: string) => string

const styles = { alert: 31, error: 31, warn: 33, info: 36, bold: 1, faint: 2, fix: 32 } as const

/** Findings for people: place, message, the line with a mark under it, and a count at the end. */
export function formatText(reports: readonly Report[], { color }: TextOptions): string {
  const paint: Paint = (style, text) => (color ? `\u001B[${styles[style]}m${text}\u001B[0m` : text)
  const blocks = reports.flatMap((report) =>
    report.findings.toSorted(byPlace).map((finding) => block(report, finding, paint)),
  )
  return [...blocks, `${countsText(reports)}\n`].join('\n')
}

function block({ text }: Report, finding: Finding, paint: Paint): string {
  const { level, code, message } = finding
  const head = `${paint('bold', placeText(finding))} ${paint(level, level)} ${visible(message)}`
  return [`${head} ${paint('faint', `[${code}]`)}`, ...excerptLines(text, finding, paint), ''].join(
    '\n',
  )
}

function placeText({ file, line, column }: Finding): string {
  return [visible(file), line, column].filter((part) => part !== null).join(':')
}

function excerptLines(text: string, finding: Finding, paint: Paint): string[] {
  const excerpt = excerptOf(text, finding)
  if (!excerpt) return []
  const number = String(finding.line)
  const gutter = ' '.repeat(number.length)
  return [
    `  ${paint('faint', `${number} |`)} ${excerpt.line}`,
    `  ${paint('faint', `${gutter} |`)} ${excerpt.before}${paint(finding.level, excerpt.marks)}`,
    ...(finding.fix
      ? [`  ${paint('faint', `${gutter} =`)} ${paint('fix', `fix: ${visible(finding.fix.title)}`)}`]
      : []),
  ]
}

const nouns: Record<MessageLevel, string> = {
  alert: 'alert',
  error: 'error',
  warn: 'warning',
  info: 'note',
}

/** `2 errors, 1 warning in 3 files`, or that there is nothing. */
function countsText(reports: readonly Report[]): string {
  const findings = reports.flatMap((report) => report.findings)
  const counts = Object.entries(nouns).flatMap(([level, noun]) => {
    const count = findings.filter((finding) => finding.level === level).length
    return count === 0 ? [] : [plural(count, noun)]
  })
  return `${counts.join(', ') || 'nothing found'} in ${plural(reports.length, 'file')}`
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
