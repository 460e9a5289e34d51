import { visible } from '../../domain/text/escape-control-characters.ts'
import { countsOf, plural } from '../counts.ts'
import { byPosition, type Finding, type Report } from '../finding.ts'
import { plainName } from '../plain-name.ts'
import { excerptOf, linesOf } from './excerpt.ts'
import { hideSecrets } from './hide-secrets.ts'

export interface TextOptions {
  color: boolean
}

type Paint = (style: keyof typeof styles, text: string) => string

const styles = { alert: 31, error: 31, warn: 33, info: 36, bold: 1, faint: 2, fix: 32 } as const

/** Findings for people: position, message, the line with a mark under it, and a count at the end. */
export function formatText(reports: readonly Report[], { color }: TextOptions): string {
  const paint: Paint = (style, text) => (color ? `\u001B[${styles[style]}m${text}\u001B[0m` : text)
  const blocks = reports.flatMap(({ text, findings }) => {
    const lines = hideSecrets(linesOf(text), findings)
    return alike(findings.toSorted(byPosition)).map((group) => block(lines, group, paint))
  })
  return [...blocks, `${countsText(reports)}\n${hint(reports, paint)}`].join('\n')
}

/** A finding, with the findings that have the same text. */
type Group = [first: Finding, ...more: Finding[]]

/** Groups findings with the same code, level and message, at the position of the first. */
function alike(findings: readonly Finding[]): Group[] {
  const groups = new Map<string, Group>()
  for (const finding of findings) {
    const id = JSON.stringify([finding.code, finding.level, finding.message])
    const group = groups.get(id)
    if (group) group.push(finding)
    else groups.set(id, [finding])
  }
  return [...groups.values()]
}

/** Most places that are listed; the count includes all. */
const mostPlaces = 10

function placesText(more: readonly Finding[]): string {
  const places = more.slice(0, mostPlaces).map(({ line, column }) => `${line}:${column}`)
  const rest = more.length > mostPlaces ? ', …' : ''
  return `the same ${plural(more.length, 'more time')}, at ${places.join(', ')}${rest}`
}

function hint(reports: readonly Report[], paint: Paint): string {
  const [first] = reports.flatMap(({ findings }) => findings)
  if (!first) return ''
  return `${paint('faint', `More about a code: build-service explain ${first.code}`)}\n`
}

function block(lines: readonly string[], group: Group, paint: Paint): string {
  const [finding, ...more] = group
  const { level, code, message } = finding
  const head = `${paint('bold', placeText(finding))} ${paint(level, level)} ${visible(message)}`
  return [
    `${head} ${paint('faint', `[${code}]`)}`,
    ...excerptLines(lines, finding, paint),
    ...(more.length > 0 ? [`  ${paint('faint', placesText(more))}`] : []),
    '',
  ].join('\n')
}

function placeText({ file, line, column }: Finding): string {
  return [plainName(file), line, column].filter((part) => part !== null).join(':')
}

function excerptLines(lines: readonly string[], finding: Finding, paint: Paint): string[] {
  const excerpt = excerptOf(lines, finding)
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

/** Counts such as `2 errors, 1 warning in 3 files`, or a note that there are none. */
function countsText(reports: readonly Report[]): string {
  const findings = reports.flatMap((report) => report.findings)
  return `${countsOf(findings)} in ${plural(reports.length, 'file')}`
}
