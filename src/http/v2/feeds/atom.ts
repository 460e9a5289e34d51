import type { Build } from '../../../domain/build.ts'
import type { Commit } from '../../../domain/commit/commit.ts'
import { type Repository, slugOf } from '../../../domain/repository.ts'
import { shownTime } from '../../../domain/time/shown-time.ts'
import { buildUrl, repositoryUrl } from '../../../flow/statuses/links.ts'
import { escaped, xml } from './xml.ts'

export const atomType = 'application/atom+xml;charset=utf-8'

interface Entry {
  build: Build
  commit: Commit | null
}

/** Feed of a repository's newest builds, newest first; valid without any builds. */
export function atom(
  site: { publicUrl: string },
  repository: Repository,
  entries: readonly Entry[],
) {
  const slug = slugOf(repository)
  const [first] = entries
  const updated = shownTime(first ? lastChange(first.build) : repository.created_at)
  const self = `${site.publicUrl}/repos/${slug}/builds.atom`
  return xml(
    [
      '<feed xmlns="http://www.w3.org/2005/Atom">',
      `  <title>${escaped(slug)} builds</title>`,
      `  <link href="${escaped(self)}" rel="self" type="application/atom+xml"/>`,
      `  <link href="${escaped(repositoryUrl(site, slug))}" rel="alternate" type="text/html"/>`,
      `  <id>repo:${repository.id}</id>`,
      `  <updated>${updated}</updated>`,
      ...entries.map((entry) => entryText(site, repository, entry)),
      '</feed>',
    ].join('\n'),
    atomType,
  )
}

const lastChange = ({ finished_at, started_at, created_at }: Build) =>
  finished_at ?? started_at ?? created_at

function entryText(
  site: { publicUrl: string },
  repository: Repository,
  { build, commit }: Entry,
): string {
  const slug = slugOf(repository)
  return [
    '  <entry>',
    `    <title>${escaped(`${slug} build #${build.number}`)}</title>`,
    `    <link href="${escaped(buildUrl(site, slug, build.id))}"/>`,
    `    <id>repo:${repository.id}:build:${build.id}</id>`,
    `    <updated>${shownTime(lastChange(build))}</updated>`,
    `    <summary type="html">${escaped(summary(build, commit))}</summary>`,
    `    <author><name>${escaped(commit?.author_name ?? slug)}</name></author>`,
    '  </entry>',
  ].join('\n')
}

/** HTML for feed readers, so user-written text is escaped within it too. */
function summary({ state, started_at, finished_at }: Build, commit: Commit | null): string {
  const facts = [
    ...(commit ? [commit.message, `committed by ${commit.committer_name ?? 'someone'}`] : []),
    `state: ${state}`,
    ...(started_at ? [`started at: ${shownTime(started_at)}`] : []),
    ...(finished_at ? [`finished at: ${shownTime(finished_at)}`] : []),
  ]
  return facts.map((fact) => `<p>${escaped(fact)}</p>`).join('')
}
