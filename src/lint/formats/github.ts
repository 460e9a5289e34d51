import type { MessageLevel } from '../../domain/request/request.ts'
import { visible } from '../../domain/text/escape-control-characters.ts'
import { byPosition, type Finding, type Report } from '../finding.ts'

const commands: Record<MessageLevel, string> = {
  alert: 'error',
  error: 'error',
  warn: 'warning',
  info: 'notice',
}

/** Findings as workflow commands, which a workflow's log turns into annotations. */
export function formatGithub(reports: readonly Report[]): string {
  return reports
    .flatMap(({ findings }) => findings.toSorted(byPosition))
    .map((finding) => `${command(finding)}\n`)
    .join('')
}

function command(finding: Finding): string {
  const { file, line, column, end_line, end_column, code } = finding
  // Columns are supported only for findings on a single line; the end column is inclusive.
  const columns =
    line === end_line && column !== null && end_column !== null
      ? { col: column, endColumn: Math.max(end_column - 1, column) }
      : {}
  const region = line === null ? {} : { line, endLine: end_line, ...columns }
  const properties: [string, string | number | null][] = Object.entries({
    file,
    ...region,
    title: code,
  })
  const written = properties
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${property(String(value))}`)
  return `::${commands[finding.level]} ${written.join(',')}::${data(finding.message)}`
}

function data(text: string): string {
  return visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
