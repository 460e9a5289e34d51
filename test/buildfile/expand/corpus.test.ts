import { describe, expect, test } from 'vitest'
import { expandJobs } from '../../../src/buildfile/expand/expand-jobs.ts'
import { expandMatrix } from '../../../src/buildfile/expand/expand-matrix.ts'
import type { Message } from '../../../src/buildfile/messages/message.ts'
import { corpus, readCorpus } from '../../support/corpus.ts'
import { needs } from '../../support/needs.ts'
import { hashOf } from '../expected.ts'

type Config = Readonly<Record<string, unknown>>

/** A whole job, or what tells it apart with a hash of the whole. */
type Row = Config & { sha?: string }

interface Expected {
  name: string
  config: Config
  /** Not told of probes. */
  axes?: string[]
  rows: Row[]
  build: { stages: Config[]; jobs: Row[] | null; messages: Message[] }
}

/** The push that the expected builds are for. */
const data = {
  type: 'push',
  repo: 'owner/name',
  branch: 'master',
  tag: null,
  fork: false,
  sender: 'owner',
  commit_message: 'msg',
  head_repo: 'owner/name',
  head_branch: 'master',
}

const hashes = (jobs: readonly Config[]) => jobs.map(hashOf)
const hashesIn = (rows: readonly Row[]) => rows.map((row) => row.sha ?? hashOf(row))

function outcome(config: Config) {
  const { axes, rows } = expandMatrix(config)
  const { jobs, stages, messages } = expandJobs(config, { data })
  return {
    axes,
    rows: hashes(rows),
    stages: stages.map((stage) => stage.config),
    jobs: hashes(jobs.map((job) => job.config)),
    messages,
  }
}

function wanted({ config, axes, rows, build }: Expected): ReturnType<typeof outcome> {
  return {
    axes: axes ?? outcome(config).axes,
    rows: hashesIn(rows),
    stages: build.stages,
    jobs: hashesIn(build.jobs ?? rows),
    messages: build.messages,
  }
}

describe('the corpus', needs(corpus), () => {
  test.each(['expected', 'probes'] as const)(
    'all files in %s lead to the expected jobs',
    (file) => {
      const files = readCorpus<Expected>(file).filter(({ build }) => build)
      const wrong = files.filter((one) => hashOf(outcome(one.config)) !== hashOf(wanted(one)))
      expect(files.length).toBeGreaterThan(50)
      expect(wrong.slice(0, 3).map((one) => [one.name, outcome(one.config)])).toEqual(
        wrong.slice(0, 3).map((one) => [one.name, wanted(one)]),
      )
    },
  )
})
