import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import type { Vite } from 'vitest/node'
import { buildFirst, builtFolder, changedFiles, loadBuilt } from './test/support/built.ts'
import { filesReporter } from './test/support/report-files.ts'
import { skippedReporter } from './test/support/report-skipped.ts'

/** Reports in addition to the reporters of the command line. */
const addReporters: Vite.Plugin = {
  name: 'add-reporters',
  configureVitest({ vitest: { config } }) {
    for (const reporter of [skippedReporter, filesReporter]) {
      // Each part asks for them.
      if (!config.reporters.includes(reporter)) config.reporters.push(reporter)
    }
  },
}

/**
 * One part runs after the other, because a worker ends when a file of another part is next. Set by a plugin:
 * `--sequence.shuffle.files` replaces the whole `sequence` of a part.
 */
function inTurn(groupOrder: number): Vite.Plugin {
  return {
    name: 'in-turn',
    configureVitest({ project }) {
      project.config.sequence.groupOrder = groupOrder
    },
  }
}

/** Files wait for servers, so that two at once pay on two cores; those that start programs wait longest. */
const workers = Math.max(2, availableParallelism() - 1)

/**
 * A part of the tests. A worker loads each module once and runs one file after the other, so a file has to
 * leave the globals as it found them; `global-state.ts` fails one that does not.
 */
function project(
  name: string,
  groupOrder: number,
  maxWorkers: number,
  include: readonly string[],
): TestProjectInlineConfiguration {
  return {
    plugins: [buildFirst, loadBuilt, addReporters, inTurn(groupOrder)],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    test: {
      name,
      isolate: false,
      include: include.map((rooms) => `test/${rooms}.test.{ts,tsx}`),
      setupFiles: ['test/support/processor-time.ts', 'test/support/global-state.ts'],
      server: { deps: { external: [builtFolder] } },
      // For what hangs; machines that are busy take long for what is right.
      testTimeout: 90_000,
      hookTimeout: 120_000,
      maxWorkers,
    },
  }
}

/** Attacks that start programs; the others come through the door. */
const startedAttacks = [
  'callers-home',
  'embedded-server',
  'evaluated-secrets',
  'exited-leader',
  'fork-secrets',
  'hooks-as-root',
  'job-isolation',
  'killed-from-inside',
  'neighbouring-jobs',
  'notification-targets',
  'private-submodule',
  'renamed-data-folder',
  'root-without-isolation',
  'set-uid-programs',
  'unisolated-runner',
].join('|')

export default defineConfig({
  test: {
    // Of all parts, for tools that look for tests.
    include: ['test/**/*.test.{ts,tsx}'],
    globalSetup: ['test/support/cluster.ts'],
    experimental: { vcsProvider: { findChangedFiles: changedFiles } },
    projects: [
      // Values in, values out.
      project('pure', 0, workers, [
        '{access,buildfile,config,domain,failure,lint,notify,reader,secrets,terminal,texts}/**/*',
        'docs/!(why|commands)',
        '{architecture,ci-summary}',
      ]),
      // Through a server and a database of the worker.
      project('door', 1, workers, [
        '{bot,channels,codehost,flow,http,queue,store,worker}/**/*',
        `attack/!(${startedAttacks})`,
      ]),
      // What starts, ends or changes processes.
      project('process', 2, 2 * workers, [
        '{browser,cli,faults,openapi,runner,script,service}/**/*',
        'containers/!(compose)',
        `attack/@(${startedAttacks})`,
        'docs/@(why|commands)',
        '{built,install}',
      ]),
      // An engine that starts resets rules of the machine's firewall, which keep apart the networks of this one.
      project('alone', 3, 1, ['containers/compose']),
    ],
  },
})
