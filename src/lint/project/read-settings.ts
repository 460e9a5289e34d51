import { readMap } from '../../buildfile/read-map.ts'
import type { Entry, MapNode, Node, Span } from '../../buildfile/tree/node.ts'
import { describeCode, isCode } from '../describe-code.ts'
import { type LintedFile, findingOfMessage } from '../finding-of.ts'
import type { Finding } from '../finding.ts'
import { quote } from '../quote.ts'
import {
  type Choice,
  isOptional,
  noSettings,
  type ProjectSettings,
  settingsPath,
} from './settings.ts'

export interface ReadSettings {
  /** Empty if the settings have problems. */
  settings: ProjectSettings
  problems: Finding[]
}

type Report = (problem: string, at: Span) => void

const choices = ['off', 'info', 'warn', 'error'] as const satisfies readonly Choice[]

/** Users correct a few problems at a time; more would push out findings in build files. */
const mostProblems = 20

/** Reads the settings of a project. Never throws. */
export function readSettings(text: string, name = settingsPath): ReadSettings {
  const { root, prepared, error } = readMap(text)
  const file: LintedFile = { name, prepared }
  const problems: Finding[] = []
  let unlisted: { count: number; at: Span } | undefined
  const add: Report = (problem, at) => {
    const args = { problem }
    problems.push(findingOfMessage({ level: 'error', code: settingsCode, key: [], args, at }, file))
  }
  const report: Report = (problem, at) => {
    if (problems.length < mostProblems) add(problem, at)
    else unlisted = { at: unlisted?.at ?? at, count: (unlisted?.count ?? 0) + 1 }
  }
  if (error) {
    const sentence = [error.message, error.hint ?? []].flat().join(' ')
    report(`the file cannot be read: ${sentence}`, { start: error.at, end: error.at + 1 })
    return { settings: noSettings, problems }
  }
  const settings = settingsIn(root, report)
  if (unlisted)
    add(`from here on ${unlisted.count} more are wrong: correct those above first`, unlisted.at)
  return { settings: problems.length === 0 ? settings : noSettings, problems }
}

/** The code of problems in the settings. */
const settingsCode = 'lint_settings'

function settingsIn(root: MapNode, report: Report): ProjectSettings {
  const settings = { rules: new Map<string, Choice>(), files: [] as string[] }
  for (const { key, value, at } of root.entries) {
    if (key === 'rules') settings.rules = rulesIn(value, report)
    else if (key === 'files') settings.files = filesIn(value, report)
    else report(`there is no setting ${quote(key)}: there are "rules" and "files"`, at)
  }
  return settings
}

function rulesIn(value: Node, report: Report): Map<string, Choice> {
  const rules = new Map<string, Choice>()
  if (value.kind !== 'map') {
    report(
      value.kind === 'secure'
        ? '"secure" is about what gives a secret away, so it stays as it is: remove the line'
        : '"rules" is a map: write a line "CODE: off" for each, or a level',
      value,
    )
    return rules
  }
  for (const entry of value.entries) {
    const choice = choiceIn(entry, report)
    if (choice !== undefined) rules.set(entry.key, choice)
  }
  return rules
}

function choiceIn({ key, value, at }: Entry, report: Report): Choice | undefined {
  if (!isCode(key)) {
    report(`there is no code ${quote(key)}: build-service lint --list-rules shows them all`, at)
    return undefined
  }
  if (!describeCode(key).levels.some((level) => isOptional({ level }))) {
    report(
      `${quote(key)} is about what stops builds or gives a secret away, so it stays as it is: remove the line`,
      at,
    )
    return undefined
  }
  // YAML 1.1 reads a plain `off` as false.
  const written = value.kind === 'bool' && !value.value ? 'off' : textOf(value)
  const choice = choices.find((each) => each === written)
  if (choice === undefined) {
    report(
      `${quote(written)} is not a level of ${quote(key)}: write one of ${choices.join(', ')}`,
      value,
    )
  }
  return choice
}

function filesIn(value: Node, report: Report): string[] {
  const items = value.kind === 'seq' ? value.items : [value]
  return items.flatMap((item) => {
    const pattern = textOf(item)
    if (pattern !== undefined && pattern !== '') return pattern
    report('"files" is a list of paths, in which * stands for any part of a name', item)
    return []
  })
}

function textOf(node: Node): string | undefined {
  return node.kind === 'str' ? node.value : undefined
}
