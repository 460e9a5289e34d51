import type { Codehost } from '../../src/codehost/codehost.ts'

export interface SlowCodehost {
  codehost: Codehost
  /** Sets what it returns from now on, and after how many milliseconds. */
  set(how: { jobs: number; delay: number }): void
  /** How many of the reads since this was asked last followed one another; reports do not count. */
  readsInARow(): number
}

/** A code host whose every commit holds a build file of so many jobs. */
export function createCodehost(): SlowCodehost {
  let delay = 0
  let file = buildFile(1)
  let deepest = 0

  async function after<T>(answer: () => T): Promise<T> {
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
    return answer()
  }

  async function read<T>(answer: () => T): Promise<T> {
    const depth = deepest + 1
    const answered = await after(answer)
    deepest = Math.max(deepest, depth)
    return answered
  }

  return {
    readsInARow() {
      const reads = deepest
      deepest = 0
      return reads
    },
    set(how) {
      delay = how.delay
      file = buildFile(how.jobs)
    },
    codehost: {
      provider: 'codehost',
      file: (_repository, path) => read(() => (path === '.service.yml' ? file : undefined)),
      tree: () => read(() => []),
      commit: () => read(() => undefined),
      tip: () => read(() => undefined),
      isBehind: () => read(() => true),
      pull: () => read(() => undefined),
      postStatus: () => after(() => {}),
      statuses: () => read(() => []),
      putCheckRun: () => after(() => {}),
      checkRuns: () => read(() => []),
      user: () => read(() => undefined),
      role: () => read(() => undefined),
      repository: () => read(() => undefined),
      cloneSource: () =>
        read(() => ({ kind: 'url', url: 'https://codehost.example/o/n.git', token: 'sesame' })),
    },
  }
}

function buildFile(jobs: number): Buffer {
  const rows = Array.from({ length: jobs }, (_, number) => `  - PART=${number + 1}`)
  return Buffer.from(['language: generic', 'script: make', 'env:', ...rows, ''].join('\n'))
}
