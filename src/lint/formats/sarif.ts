import type { MessageLevel } from '../../domain/request/request.ts'
import { visible, visibleJson } from '../../domain/text/escape-control-characters.ts'
import { describeCode } from '../describe-code.ts'
import { byPosition, type Finding, type Fix, type Report } from '../finding.ts'
import { subjects } from '../subjects.ts'

export interface SarifOptions {
  /** Version of this program. */
  version: string
  /** The address of the documentation, for links to it and to its pages of rules. */
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
        ...(options.docsUrl === undefined ? {} : { informationUri: options.docsUrl }),
        rules: codes.map((code) => rule(code, options)),
      },
    },
    columnKind: 'utf16CodeUnits',
    artifacts: reports.map(({ file }) => ({ location: { uri: uri(file) } })),
    results: reports.flatMap((report, index) =>
      report.findings.toSorted(byPosition).map((finding) => result(finding, report, index, codes)),
    ),
  }
  return `${visibleJson({ $schema: schema, version: '2.1.0', runs: [run] }, 2)}\n`
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
    help: { text: helpOf(code) },
    defaultConfiguration: { level: sarifLevels[level] },
    ...(docsUrl === undefined ? {} : { helpUri: `${docsUrl}/${docs}` }),
  }
}

/** The text of the code's page, without the examples. */
function helpOf(code: string): string {
  const { text = [] } = subjects.find((subject) => subject.code === code) ?? {}
  return [...text, `More: build-service explain ${code}`].join('\n\n')
}

function result(finding: Finding, report: Report, index: number, codes: readonly string[]) {
  const artifactLocation = { uri: uri(report.file), index }
  return {
    ruleId: finding.code,
    ruleIndex: codes.indexOf(finding.code),
    level: sarifLevels[finding.level],
    message: { text: visible(finding.message) },
    ...(finding.count === undefined ? {} : { occurrenceCount: finding.count }),
    locations: [{ physicalLocation: { artifactLocation, region: region(finding) } }],
    ...(finding.fix ? { fixes: [fix(finding.fix, report)] } : {}),
  }
}

function region({ line, column, end_line, end_column }: Finding) {
  // A finding about the whole file gets line 1: some readers do not show results without a region.
  if (line === null) return { startLine: 1 }
  const startColumn = column === null ? {} : { startColumn: column }
  const end =
    end_line === null || end_column === null ? {} : { endLine: end_line, endColumn: end_column }
  return { startLine: line, ...startColumn, ...end }
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
