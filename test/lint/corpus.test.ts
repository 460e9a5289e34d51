import { describe, expect, test } from 'vitest'
import { expandJobs } from '../../src/buildfile/expand/expand-jobs.ts'
import type { Config } from '../../src/buildfile/expand/values.ts'
import { applyFixes, type Fixed } from '../../src/lint/apply-fixes.ts'
import { describeCode } from '../../src/lint/describe-code.ts'
import type { Finding } from '../../src/lint/finding.ts'
import { fixers } from '../../src/lint/fixes/index.ts'
import { type Linted, lintText } from '../../src/lint/lint-text.ts'
import { fileOfAnotherService } from '../../src/lint/rules/file-of-another-service.ts'
import { rules } from '../../src/lint/rules/index.ts'
import { nothingSaid } from '../../src/lint/rules/nothing-said.ts'
import { sample } from '../buildfile/sample.ts'
import { corpus, readCorpus } from '../support/corpus.ts'
import { needs } from '../support/needs.ts'
import { alike, holdersOf } from './alike.ts'

interface Tried {
  name: string
  yaml: string
  before: Linted
  /** With safe fixes only. */
  fixed: Fixed
  /** With all fixes, those of the advice included. */
  changed: Fixed
}

const tryAll = (files: readonly Pick<Tried, 'name' | 'yaml'>[]) =>
  files.map(({ name, yaml }): Tried => {
    const before = lintText(yaml, { advice: true })
    const fixed = applyFixes(yaml, { advice: false })
    return { name, yaml, before, fixed, changed: applyFixes(yaml, { advice: true, unsafe: true }) }
  })

describe('on the sample', () => {
  promises(sample)
})

describe('on real files', needs(corpus), () => {
  promises([
    ...readCorpus<Pick<Tried, 'name' | 'yaml'>>('configs'),
    ...readCorpus<Pick<Tried, 'name' | 'yaml'>>('probes'),
  ])

  test('no file counts as a file of another service, or as an empty file', () => {
    const rules = [fileOfAnotherService, nothingSaid]
    const found = readCorpus<Pick<Tried, 'yaml'>>('configs').flatMap(({ yaml }) =>
      lintText(yaml, { advice: true, rules }).findings.map(({ code }) => code),
    )
    expect(found.length).toBeGreaterThan(1000)
    expect(found).not.toContain(fileOfAnotherService.code)
    expect(found).not.toContain(nothingSaid.code)
  })
})

/** What holds for findings and fixes, whatever the files are. */
function promises(files: readonly Pick<Tried, 'name' | 'yaml'>[]): void {
  const tried = tryAll(files)

  /** What is wrong with any of the files, with its name. */
  function problems(find: (file: Tried) => (string | false)[]): string[] {
    return tried.flatMap((file) =>
      find(file).flatMap((problem) => (problem === false ? [] : [`${file.name}: ${problem}`])),
    )
  }

  test('every finding has a page, a message of one line, and a position in the file', () => {
    expect(
      problems(({ yaml, before }) => {
        const lines = yaml.split('\n')
        return before.findings.flatMap((finding) => [
          describeCode(finding.code).docs !== finding.docs && `${finding.code} has no page`,
          /\p{Cc}/u.test(finding.message) && `${finding.code} is more than a line`,
          !isWithin(lines, finding) && `${finding.code} is outside of the file`,
        ])
      }),
    ).toEqual([])
  })

  test('rules find nothing in files and commands without the words that they look for', () => {
    const searching = rules.map(({ mentions: _mentions, commands: _commands, ...rule }) => rule)
    expect(
      problems(({ yaml, before }) => [
        !isEqual(
          messagesIn(lintText(yaml, { advice: true, rules: searching })),
          messagesIn(before),
        ) && 'other findings',
      ]),
    ).toEqual([])
  })

  test('a second run of the fixes changes nothing', () => {
    expect(
      problems(({ fixed }) => [
        fixed.applied.length > 0 &&
          applyFixes(fixed.text, { advice: false }).text !== fixed.text &&
          'changes again',
      ]),
    ).toEqual([])
  })

  test('findings with a safe fix disappear with it, and no new findings appear', () => {
    expect(
      problems(({ before, fixed: { linted, applied } }) => [
        ...linted.findings.map(({ code, fix }) => fix?.safe === true && `${code} is left`),
        ...moreIn(linted, before),
        applied.length > 0 && linted.error !== null && 'cannot be read any more',
      ]),
    ).toEqual([])
  })

  test('the normal form and the jobs stay the same, except for reported values', () => {
    expect(
      problems(({ before: { config, findings }, fixed: { linted, applied } }) => {
        if (applied.length === 0) return []
        const holders = holdersOf(findings)
        const isSame = alike(config, holders) === alike(linted.config, holders)
        const sameJobs = isEqual(jobsOf(config, holders), jobsOf(linted.config, holders))
        return [!isSame && 'another normal form', !sameJobs && 'other jobs']
      }),
    ).toEqual([])
  })

  test('comments are kept', () => {
    const comments = (text: string) => text.match(/(?:^|\s)#.*/gm)?.map((comment) => comment.trim())
    expect(
      problems(({ yaml, fixed: { text } }) => [
        !isEqual(comments(yaml) ?? [], comments(text) ?? []) && 'other comments',
      ]),
    ).toEqual([])
  })

  test('repeated fixes that change the jobs come to an end too', () => {
    expect(
      problems(({ changed: { text, linted, applied } }) => [
        applied.length > 0 &&
          applyFixes(text, { advice: true, unsafe: true }).text !== text &&
          'changes again',
        ...linted.findings.map(({ code, fix }) => fix !== undefined && `${code} is left`),
        applied.length > 0 && linted.error !== null && 'cannot be read any more',
      ]),
    ).toEqual([])
  })
}

const messagesIn = ({ findings }: Linted) =>
  findings.map(({ code, message }) => `${code} ${message}`)

function isWithin(
  lines: readonly string[],
  { line, column, end_line, end_column }: Finding,
): boolean {
  if (line === null || column === null || end_line === null || end_column === null) {
    return [line, column, end_line, end_column].every((part) => part === null)
  }
  const fits = (at: number, inLine: number) =>
    inLine >= 1 && inLine <= (lines[at - 1]?.length ?? -1) + 1
  const isAfter = end_line > line || (end_line === line && end_column >= column)
  return isAfter && fits(line, column) && fits(end_line, end_column)
}

/** The codes without a fix that a file has more often than before. */
function moreIn(after: Linted, before: Linted): string[] {
  const count = ({ findings }: Linted, code: string) =>
    findings.filter((finding) => finding.code === code).length
  const codes = new Set(after.findings.map(({ code }) => code))
  return [...codes]
    .filter((code) => !(code in fixers) && count(after, code) > count(before, code))
    .map((code) => `more of ${code}`)
}

function jobsOf(config: Config, holders: ReadonlySet<string>): string[] {
  return expandJobs(config).jobs.map((job) => alike(job.config, holders))
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index])
}
