import type { Codehost, UserFacts } from '../codehost.ts'
import { findCommit, isBehind } from './commits.ts'
import { readFile, readFolder } from './files.ts'
import { createGit, type Git } from './git.ts'
import type { Local } from './local.ts'
import { isSameName } from './names.ts'
import { readPullState } from './pull-state.ts'
import { checkRunsOf, insertStatus, putCheckRun, statusesOf } from './reports.ts'
import { findRepository, ownerFacts, repositoryFacts, repositoryOf } from './repositories.ts'
import type { LocalDatabase } from './tables.ts'

interface LocalOptions {
  db: LocalDatabase
  /** Login of the one local user. */
  owner?: string
  git?: Git
}

export interface LocalCodehost extends Codehost, Local {
  readonly provider: 'local'
}

/** The code host made of the git repositories on this machine. */
export function createLocalCodehost(options: LocalOptions): LocalCodehost {
  const { db, owner = 'local', git = createGit() } = options
  const local: Local = { db, owner, git }
  return {
    ...local,
    provider: 'local',

    async file(ref, path, sha) {
      const repository = await repositoryOf(local, ref)
      return readFile(git, repository.path, sha, path)
    },
    async tree(ref, path, sha) {
      const repository = await repositoryOf(local, ref)
      return readFolder(git, repository.path, sha, path)
    },
    async commit(ref, name) {
      const repository = await repositoryOf(local, ref)
      const found = await findCommit(git, repository.path, name)
      if (!found) return undefined
      const { tree: _tree, ...facts } = found
      return facts
    },
    async tip(ref, name) {
      const repository = await repositoryOf(local, ref)
      return (await findCommit(git, repository.path, name))?.sha
    },
    async isBehind(ref, sha, other) {
      const repository = await repositoryOf(local, ref)
      return isBehind(git, repository.path, sha, other)
    },
    async pull(ref, number) {
      return readPullState(local, await repositoryOf(local, ref), number)
    },
    async postStatus(ref, sha, status) {
      const { codehost_id } = await repositoryOf(local, ref)
      await insertStatus(db, codehost_id, sha, status)
    },
    async statuses(ref, sha) {
      const { codehost_id } = await repositoryOf(local, ref)
      return statusesOf(db, codehost_id, sha)
    },
    async putCheckRun(ref, run) {
      const { codehost_id } = await repositoryOf(local, ref)
      await putCheckRun(db, codehost_id, run)
    },
    async checkRuns(ref, sha) {
      const { codehost_id } = await repositoryOf(local, ref)
      return checkRunsOf(db, codehost_id, sha)
    },
    async user(login) {
      return isSameName(login, owner) ? userFacts(local) : undefined
    },
    async role(_ref, { login }) {
      return isSameName(login, owner) ? { pull: true, push: true, admin: true } : undefined
    },
    async repository(ref) {
      const repository = await findRepository(local, ref)
      return repository && repositoryFacts(local, repository)
    },
    async cloneSource(ref) {
      const { path } = await repositoryOf(local, ref)
      // A missing folder is reported here with a clear message, rather than inside a job.
      await git(path, ['rev-parse', '--git-dir'])
      const { code, output } = await git(path, ['config', '--get', 'remote.origin.url'], {
        accept: [0, 1],
      })
      const origin = code === 0 ? output.toString().trim() : undefined
      return { kind: 'folder', path, origin }
    },
  }
}

function userFacts(local: Local): UserFacts {
  const { codehost_id, login } = ownerFacts(local, local.owner)
  return { codehost_id, login, name: null, email: null, avatar_url: null }
}
