import type { MessageLevel } from '../../domain/request.ts'
import { byPosition, type Finding, type Fix, type Report } from '../finding.ts'
import { describeCode } from '../describe-code.ts'
import { visible } from '../quote.ts'

export interface SarifOptions {
  /** Of this program. */
  version: string
  /** Where the documentation is, for links to the pages of rules. */
  docsUrl?: string
}

const sarifLevels: Record<MessageLevel, 'error' | 'warning' | 'note'> = {
  alert: 'error',
  error: 'error',
  warn: 'warning',
  info: 'note',
}

/** Findings as a SARIF 2.1.0 log with one run. */
export function formatSarif(reports: readonly Report[], options: SarifOptions): string {
  const codes = [...new Set(reports.flatMap(({ findings }) => findings.map(({ code }) => code)))]
  const run = {
    tool: {
      driver: {
        name: 'build-service',
        semanticVersion: options.version,
        rules: codes.map((code) => rule(code, options)),
      },
    },
    columnKind: 'utf16CodeUnits',
    artifacts: reports.map(({ file }) => ({ location: { uri: uri(file) } })),
    results: reports.flatMap((report, index) =>
      report.findings.toSorted(byPosition).map((finding) => result(finding, report, index, codes)),
    ),
  }
  return `${JSON.stringify({ $schema: schema, version: '2.1.0', runs: [run] }, null, 2)}\n`
}

const schema = 'https://json.schemastore.org/sarif-2.1.0.json'

function rule(code: string, { docsUrl }: SarifOptions) {
  const {
    summary,
    levels: [level = 'warn'],
    docs,
  } = describeCode(code)
  return {
    id: code,
    shortDescription: { text: summary },
    defaultConfiguration: { level: sarifLevels[level] },
    ...(docsUrl === undefined ? {} : { helpUri: `${docsUrl}/${docs}` }),
  }
}

function result(finding: Finding, report: Report, index: number, codes: readonly string[]) {
  const artifactLocation = { uri: uri(report.file), index }
  return {
    ruleId: finding.code,
    ruleIndex: codes.indexOf(finding.code),
    level: sarifLevels[finding.level],
    message: { text: visible(finding.message) },
    locations: [{ physicalLocation: { artifactLocation, ...region(finding) } }],
    ...(finding.fix ? { fixes: [fix(finding.fix, report)] } : {}),
  }
}

function region({ line, column, end_line, end_column }: Finding) {
  if (line === null) return {}
  const startColumn = column === null ? {} : { startColumn: column }
  const end =
    end_line === null || end_column === null ? {} : { endLine: end_line, endColumn: end_column }
  return { region: { startLine: line, ...startColumn, ...end } }
}

function fix({ title, edits }: Fix, { file }: Report) {
  const replacements = edits.map(({ start, end, text }) => ({
    deletedRegion: { charOffset: start, charLength: end - start },
    insertedContent: { text },
  }))
  return {
    description: { text: visible(title) },
    artifactChanges: [{ artifactLocation: { uri: uri(file) }, replacements }],
  }
}

/** A path as a relative reference; an absolute one as a `file:` address. */
function uri(file: string): string {
  const path = file.replaceAll(/\p{Cs}/gu, '\uFFFD').replaceAll('\\', '/')
  const reference = path.split('/').map(encodeURIComponent).join('/')
  return path.startsWith('/') ? `file://${reference}` : reference
}
