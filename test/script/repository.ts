import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

const env = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Octavia',
  GIT_AUTHOR_EMAIL: 'octavia@example.com',
  GIT_COMMITTER_NAME: 'Octavia',
  GIT_COMMITTER_EMAIL: 'octavia@example.com',
}

export interface TestRepository {
  folder: string
  git: (...args: string[]) => Promise<string>
  /** Creates a commit that changes a file; returns its sha. */
  commit: (content: string, file?: string) => Promise<string>
}

/** An empty repository with work tree, whose branch is `main`. */
export async function makeRepository(folder: string): Promise<TestRepository> {
  async function git(...args: string[]): Promise<string> {
    const { stdout } = await execute('git', ['-C', folder, ...args], { env })
    return stdout.trim()
  }
  await execute('git', ['init', '-q', '-b', 'main', folder], { env })
  return {
    folder,
    git,
    async commit(content, file = 'file') {
      await writeFile(path.join(folder, file), content)
      await git('add', '-A')
      await git('commit', '-qm', content)
      return git('rev-parse', 'HEAD')
    },
  }
}
