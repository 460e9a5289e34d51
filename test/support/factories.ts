import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Build } from '../../src/domain/build.ts'
import { mergeRef } from '../../src/domain/commit/commit.ts'
import type { Commit, PullRequest, Tag } from '../../src/domain/commit/commit.ts'
import type { Delivery } from '../../src/domain/delivery.ts'
import type { Job } from '../../src/domain/job/job.ts'
import { isFinished } from '../../src/domain/job/job.ts'
import type { LogPart } from '../../src/domain/log/log.ts'
import type { Notification } from '../../src/domain/notification.ts'
import type { Organization, OwnerRef, Provider, User } from '../../src/domain/owner.ts'
import type { Repository } from '../../src/domain/repository.ts'
import type { Request } from '../../src/domain/request/request.ts'
import type { Stage } from '../../src/domain/stage.ts'
import { sealedIn } from '../../src/secrets/sealed-records.ts'
import { hashToken, newToken } from '../../src/secrets/token.ts'
import { insertBuild } from '../../src/store/builds/builds.ts'
import { insertCommit } from '../../src/store/commits/commits.ts'
import { putPullRequest } from '../../src/store/commits/pull-requests.ts'
import { putInstallation } from '../../src/store/installations/installations.ts'
import { putOrganization } from '../../src/store/people/organizations.ts'
import { putPermission } from '../../src/store/people/permissions.ts'
import { putUser } from '../../src/store/people/users.ts'
import { putRepository, takeBuildNumber } from '../../src/store/repositories/repositories.ts'
import { insertRequest } from '../../src/store/requests/requests.ts'
import { type Database, type Installation, json, type Tables } from '../../src/store/tables.ts'
import { insertToken } from '../../src/store/tokens/tokens.ts'
import { noon, testSealer } from './context.ts'

type Given<T extends keyof Tables> = Partial<Insertable<Tables[T]>>

/** Makes records; what a test does not speak of is made up. */
export function factories(db: Database) {
  let count = 0
  const next = () => (count += 1)
  const owners = new Map([['octavia', 1]])

  const make = {
    async user(login = `user-${next()}`): Promise<User & { token: string }> {
      const user = await putUser(db, {
        provider: 'codehost',
        codehost_id: 1000 + next(),
        login,
        name: `Name of ${login}`,
        email: `${login}@example.org`,
        first_logged_in_at: noon,
      })
      return { ...user, token: await make.token(user) }
    },

    async token(user: User, scopes = ['public', 'private'], expires_at: Date | null = null) {
      const token = newToken()
      const hash = hashToken(token)
      await insertToken(db, { user_id: user.id, hash, name: null, scopes, expires_at })
      return token
    },

    organization: (login = `org-${next()}`) =>
      putOrganization(db, { provider: 'codehost', codehost_id: 5000 + next(), login }),

    /** The user who owns the repositories of that name. */
    owner(login: string, provider: Provider = 'codehost'): Promise<User> {
      const codehost_id = owners.get(login) ?? 2000 + next()
      owners.set(login, codehost_id)
      return putUser(db, { provider, codehost_id, login })
    },

    async repository(given: Given<'repositories'> = {}): Promise<Repository> {
      const owner_name = given.owner_name ?? 'octavia'
      const owner_id = given.owner_id ?? (await make.owner(owner_name, given.provider)).id
      return putRepository(db, {
        owner_id,
        owner_type: 'User',
        owner_name,
        active: true,
        codehost_id: 100 + next(),
        name: 'hello',
        ...given,
      })
    },

    async permission(
      user: User,
      repository: Pick<Repository, 'id'>,
      role: 'pull' | 'push' | 'admin' = 'pull',
    ) {
      const push = role !== 'pull'
      await putPermission(db, {
        user_id: user.id,
        repository_id: repository.id,
        pull: true,
        push,
        admin: role === 'admin',
      })
    },

    async membership(
      user: User,
      { id }: Pick<Organization, 'id'>,
      role: 'member' | 'admin' = 'member',
    ) {
      await db
        .insertInto('memberships')
        .values({ user_id: user.id, organization_id: id, role })
        .execute()
    },

    delivery(given: Given<'deliveries'> = {}): Promise<Delivery> {
      return db
        .insertInto('deliveries')
        .values({
          guid: `guid-${next()}`,
          provider: 'codehost',
          event: 'push',
          action: null,
          repository_codehost_id: null,
          installation_codehost_id: null,
          body: Buffer.from('{}'),
          outcome: null,
          result: null,
          processed_at: null,
          ...given,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
    },

    installation: (
      { owner_id, owner_type }: OwnerRef,
      given: Partial<Pick<Installation, 'codehost_id' | 'repository_selection'>> = {},
    ): Promise<Installation> =>
      putInstallation(db, {
        owner_id,
        owner_type,
        codehost_id: 3000 + next(),
        repository_selection: 'selected',
        permissions: {},
        events: [],
        suspended_at: null,
        ...given,
      }),

    async star(user: User, repository: Repository) {
      await db
        .insertInto('stars')
        .values({ user_id: user.id, repository_id: repository.id })
        .execute()
    },

    commit: (repository: Repository, given: Given<'commits'> = {}): Promise<Commit> =>
      insertCommit(db, {
        repository_id: repository.id,
        ref: 'refs/heads/main',
        branch: 'main',
        sha: next().toString(16).padStart(40, 'a'),
        message: 'Say hello',
        tag_name: null,
        committed_at: noon,
        author_name: 'Octavia',
        author_email: 'octavia@example.org',
        committer_name: 'Octavia',
        committer_email: 'octavia@example.org',
        compare_url: 'https://codehost.example/octavia/hello/compare/abc...def',
        created_at: noon,
        ...given,
      }),

    pullRequest: (
      repository: Repository,
      given: Given<'pull_requests'> = {},
    ): Promise<PullRequest> =>
      putPullRequest(db, {
        repository_id: repository.id,
        number: next(),
        title: 'Greet',
        state: 'open',
        head_ref: 'greet',
        head_sha: 'b'.repeat(40),
        base_ref: 'main',
        head_repository_codehost_id: repository.codehost_id,
        ...given,
      }),

    tag: (
      { id: repository_id }: Pick<Repository, 'id'>,
      name: string,
      last_build_id: number | null,
    ): Promise<Tag> =>
      db
        .insertInto('tags')
        .values({ repository_id, name, last_build_id })
        .returningAll()
        .executeTakeFirstOrThrow(),

    async request(given: Given<'requests'> & { repository?: Repository } = {}): Promise<Request> {
      const { repository = await make.repository(), ...rest } = given
      const { id, owner_id, owner_type } = repository
      return insertRequest(db, {
        repository_id: id,
        owner_id,
        owner_type,
        private: repository.private,
        event_type: 'push',
        state: 'finished',
        result: 'accepted',
        created_at: noon,
        updated_at: noon,
        finished_at: noon,
        ...rest,
      })
    },

    async build(given: Given<'builds'> & { repository?: Repository } = {}): Promise<Build> {
      const { repository = await make.repository(), ...rest } = given
      const commit_id = rest.commit_id ?? (await make.commit(repository)).id
      const event_type = rest.event_type ?? 'push'
      const ref = 'refs/heads/main'
      const request = await make.request({ repository, event_type, commit_id, ref })
      const state = rest.state ?? 'created'
      return insertBuild(db, {
        repository_id: repository.id,
        request_id: request.id,
        commit_id,
        state,
        event_type: 'push',
        private: repository.private,
        created_at: noon,
        number: await takeBuildNumber(db, repository.id, rest.event_type === 'pull_request'),
        finished_at: isFinished({ state }) ? noon : null,
        ...rest,
      })
    },

    /** A build of an open pull request, with its request. */
    async pullBuild(
      given: Given<'builds'> & { repository?: Repository } = {},
      { from_fork = false }: Given<'requests'> = {},
    ): Promise<Build> {
      const { repository = await make.repository() } = given
      const { sha, id: commit_id } = await make.commit(repository)
      const pull = await make.pullRequest(repository, { head_sha: sha })
      const of = { event_type: 'pull_request' as const, pull_request_id: pull.id }
      const build = await make.build({ ...given, ...of, repository, commit_id })
      await db
        .updateTable('requests')
        .set({ ...of, from_fork, ref: mergeRef(pull.number), base_ref: pull.base_ref })
        .set({ head_commit: sha })
        .where('id', '=', build.request_id)
        .execute()
      return build
    },

    /** One that was sent, and can be sent again. */
    async notification(
      { id: build_id, repository_id }: Pick<Build, 'id' | 'repository_id'>,
      given: Given<'notifications'> = {},
    ): Promise<Notification> {
      const guid = randomUUID()
      const content = { kind: 'slack', url: 'https://chat.example.org/', body: '{}' }
      return db
        .insertInto('notifications')
        .values({
          guid,
          repository_id,
          build_id,
          cause_id: build_id,
          position: next(),
          kind: 'slack',
          event: 'passed',
          target: 'chat.example.org#builds',
          stream: `notify:${repository_id}:abc`,
          sealed_content: testSealer.sealText(sealedIn.notification(guid), JSON.stringify(content)),
          state: 'sent',
          attempts: 1,
          response_status: 200,
          message: null,
          created_at: noon,
          sent_at: noon,
          ...given,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
    },

    stage: (build: Build, number: number, name = `stage ${number}`): Promise<Stage> =>
      db
        .insertInto('stages')
        .values({ build_id: build.id, number, name, state: 'created' })
        .returningAll()
        .executeTakeFirstOrThrow(),

    async job(given: Given<'jobs'> & { build?: Build } = {}): Promise<Job> {
      const { build = await make.build(), ...rest } = given
      const repository = await db
        .selectFrom('repositories')
        .selectAll()
        .where('id', '=', build.repository_id)
        .executeTakeFirstOrThrow()
      const state = rest.state ?? 'created'
      const job = await db
        .insertInto('jobs')
        .values({
          repository_id: build.repository_id,
          build_id: build.id,
          commit_id: build.commit_id,
          owner_id: repository.owner_id,
          owner_type: repository.owner_type,
          state,
          queue: 'builds.linux',
          private: build.private,
          created_at: noon,
          number: `${build.number}.${next()}`,
          finished_at: isFinished({ state }) ? noon : null,
          config: json({ language: 'generic' }),
          ...rest,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      await db.insertInto('logs').values({ id: job.id }).execute()
      return job
    },

    async log(job: Job, ...texts: string[]): Promise<void> {
      const parts: LogPart[] = texts.map((content, index) => ({
        number: index + 1,
        content,
        final: false,
      }))
      parts.push({ number: texts.length + 1, content: '', final: true })
      const rows = parts.map((part) => ({ ...part, log_id: job.id, attempt: job.attempt }))
      await db.insertInto('log_parts').values(rows).execute()
    },
  }
  return make
}
