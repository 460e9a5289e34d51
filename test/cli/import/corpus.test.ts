import { describe, expect, test } from 'vitest'
import { expandJobs } from '../../../src/buildfile/expand/expand-jobs.ts'
import { readBuildFile } from '../../../src/buildfile/read-build-file.ts'
import { differencesIn } from '../../../src/cli/import/differences.ts'
import { importBuildFile } from '../../../src/cli/import/import-text.ts'
import { mentionsIn, variablesSetIn } from '../../../src/cli/import/rename-words.ts'
import { missingFunctions, renamedWords } from '../../../src/domain/config/observed-names.ts'
import { corpus, readCorpus } from '../../support/corpus.ts'
import { needs } from '../../support/needs.ts'

const functions = [...renamedWords.keys(), ...missingFunctions]
  .filter((name) => name.startsWith('travis_'))
  .map((name) => name.replace('travis_', ''))
  .join('|')

/** A text of the corpus with its names from before they were neutralised. */
function asObserved(text: string): string {
  return text
    .replaceAll(/(?<!\w)SERVICE(?=_|(?![\w/-]| CI))/g, 'TRAVIS')
    .replaceAll(
      new RegExp(`(?<![\\w./-])service_(?=(?:${functions})(?!\\w|[./-]\\w))`, 'g'),
      'travis_',
    )
    .replaceAll(/(?<=\/(?:home|Users)\/)service\b/g, 'travis')
    .replaceAll(/(?<=\bapi\.)service(?=-ci\.)/g, 'travis')
    .replaceAll(/(?<![\w/-])\.service(?=\.yml\b)/g, '.travis')
    .replaceAll(/(?<![\w-])(r_)?codehost(?=(?:[_-]token|_url|_packages) *:)/g, '$1github')
    .replaceAll(/(?<=\brevision_type: *["']?)codehost\b/gi, 'GitHub')
}

const asHere = (name: string) => name.replace('TRAVIS', 'SERVICE').replace('travis', 'service')

/** The messages and jobs of a build file. */
function outcomeOf(text: string): string {
  const { config, messages } = readBuildFile(text)
  const { jobs, stages } = expandJobs(config)
  return JSON.stringify({
    jobs: jobs.map((job) => job.config),
    stages,
    notifications: config.notifications,
    messages: messages.map(({ at: _at, ...message }) => message),
  })
}

describe('of 2,000 real build files', needs(corpus), () => {
  const mentioning = readCorpus<{ name: string; yaml: string }>('configs').flatMap((file) => {
    const observed = asObserved(file.yaml)
    const text = importBuildFile(observed)
    return observed === file.yaml ? [] : [{ ...file, observed, text }]
  })

  const found = mentioning.map(({ name, yaml, text }) => {
    const own = new Set(variablesSetIn(text))
    const differences = [...differencesIn(name, text, false), ...mentionsIn(name, text, own)]
    const named = differences.flatMap((each) => /^"([^"]+)"/.exec(each.text)?.[1] ?? [])
    return { name, yaml, text, differences, kept: new Set([...named, ...own]) }
  })

  test('all create the same jobs after an import, except for listed names and their own variables', () => {
    const wrong = found.filter(({ yaml, text, kept }) => {
      const names = [...kept].toSorted((one, other) => other.length - one.length)
      const outcome = names.reduce(
        (all, name) => all.replaceAll(name, asHere(name)),
        outcomeOf(text),
      )
      return outcome !== outcomeOf(yaml)
    })
    expect(mentioning.length).toBeGreaterThan(700)
    expect(wrong.map(({ name }) => name)).toEqual([])
  })

  test('only a few names are not converted', () => {
    const left = found.flatMap(({ differences }) =>
      differences.filter(({ kind }) => kind === 'name').map(({ text }) => text.split('"')[1] ?? ''),
    )
    expect(new Set(left)).toEqual(
      new Set([
        ...['TRAVIS_ACCESS_TOKEN', 'TRAVIS_CI', 'TRAVIS_CMD', 'TRAVIS_COMMIT_LOG'],
        ...['TRAVIS_R_VERSION_STRING', 'TRAVIS_SOLUTION', 'TRAVIS_SSH_KEY_TYPES', 'TRAVIS_TOKEN'],
        'travis_nanoseconds',
      ]),
    )
  })

  test('lines keep their position, and a second import changes nothing', () => {
    const linesOf = (text: string) => text.split('\n').length
    const wrong = mentioning.filter(
      ({ observed, text }) => importBuildFile(text) !== text || linesOf(observed) !== linesOf(text),
    )
    expect(wrong.map(({ name }) => name)).toEqual([])
  })
})
