import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll } from 'vitest'
import { compileScript } from '../../src/script/compile.ts'
import type { ScriptInput } from '../../src/script/input.ts'
import { serveGit } from '../support/git-http.ts'
import { type Circumstances, type Ended, runProgram, scriptInput, withHome } from './program.ts'
import { makeRepository } from './repository.ts'

export const execute = promisify(execFile)

export const token = 'secret-token-of-the-clone'

export interface Given {
  commit?: Partial<ScriptInput['commit']>
  source?: ScriptInput['source']
  git?: Record<string, unknown>
  notes?: string[]
}

export interface Cloned extends Ended {
  home: string
  git: (...args: string[]) => Promise<string>
  content: (file: string) => Promise<string>
}

/** Repositories on servers with and without a token, for the tests of the file that calls this. */
export async function cloneScene() {
  const root = await mkdtemp(path.join(tmpdir(), 'build-service-clone-'))
  const hello = await makeRepository(path.join(root, 'hello.git'))
  const shas: string[] = []
  for (let index = 1; index <= 5; index++) shas.push(await hello.commit(`commit ${index}`))
  const [first = '', second = ''] = shas
  const tip = shas.at(-1) ?? ''

  const open = await serveGit(root)
  const closed = await serveGit(root, token)

  afterAll(async () => {
    await open.close()
    await closed.close()
    await rm(root, { recursive: true, force: true })
  })

  const quietGit: Circumstances['env'] = { GIT_CONFIG_NOSYSTEM: '1', SERVICE_INPUT: root }

  /** Runs the clone program in a new home directory and passes on the results. */
  function clone<T>(given: Given, use: (cloned: Cloned) => Promise<T>, env = {}): Promise<T> {
    return withHome(async (home) => {
      const folder = path.join(home, 'build/octavia/hello')
      const ended = await runProgram(programOf(given), { home, env: { ...quietGit, ...env } })
      return use({
        ...ended,
        home,
        git: async (...args) => (await execute('git', ['-C', folder, ...args])).stdout.trim(),
        content: (file) => readFile(path.join(folder, file), 'utf8'),
      })
    })
  }

  function programOf({ commit, source, git, notes = [] }: Given): string {
    const input = scriptInput({
      notes,
      config: git ? { git } : {},
      source: source ?? { url: `${open.url}/hello.git`, token: null },
      commit: { ...scriptInput().commit, sha: tip, ...commit },
    })
    return compileScript(input).clone.replace('__service_pause=1', '__service_pause=0')
  }

  return { root, hello, first, second, tip, open, closed, quietGit, clone, programOf }
}
