import type { Codehost } from '../../src/codehost/codehost.ts'

export interface SlowCodehost {
  codehost: Codehost
  /** Sets what it answers from now on, and after how many milliseconds. */
  set(how: { jobs: number; delay: number }): void
}

/** A code host whose every commit holds a build file of so many jobs. */
export function createCodehost(): SlowCodehost {
  let delay = 0
  let file = buildFile(1)

  async function after<T>(answer: () => T): Promise<T> {
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
    return answer()
  }

  return {
    set(how) {
      delay = how.delay
      file = buildFile(how.jobs)
    },
    codehost: {
      provider: 'codehost',
      file: (_repository, path) => after(() => (path === '.service.yml' ? file : undefined)),
      tree: () => after(() => []),
      commit: () => after(() => undefined),
      pull: () => after(() => undefined),
      postStatus: () => after(() => {}),
      statuses: () => after(() => []),
      putCheckRun: () => after(() => {}),
      checkRuns: () => after(() => []),
      user: () => after(() => undefined),
      repository: () => after(() => undefined),
      cloneSource: () =>
        after(() => ({ kind: 'url', url: 'https://codehost.example/o/n.git', token: 'sesame' })),
    },
  }
}

function buildFile(jobs: number): Buffer {
  const rows = Array.from({ length: jobs }, (_, number) => `  - PART=${number + 1}`)
  return Buffer.from(['language: generic', 'script: make', 'env:', ...rows, ''].join('\n'))
}
