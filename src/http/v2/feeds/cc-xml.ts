import type { Build, BuildState } from '../../../domain/build.ts'
import { type Repository, slugOf } from '../../../domain/repository.ts'
import { shownTime } from '../../../domain/time/shown-time.ts'
import { repositoryUrl } from '../../../flow/statuses/links.ts'
import { escaped, xml } from './xml.ts'

export const ccXmlType = 'application/xml;charset=utf-8'

const statuses: Partial<Record<BuildState, string>> = {
  passed: 'Success',
  failed: 'Failure',
  errored: 'Error',
  canceled: 'Canceled',
}

type Shown = Pick<Build, 'number' | 'state' | 'started_at' | 'finished_at'>

/** A repository with the build that a monitor shows for it. */
export interface FeedProject {
  repository: Repository
  build: Shown | null
}

/** The projects in the format of build monitors (cctray); projects without a build are left out. */
export function ccXml(site: { publicUrl: string }, projects: readonly FeedProject[]) {
  const lines = projects.flatMap(({ repository, build }) =>
    build ? `  <Project${attributes(membersOf(site, repository, build))}/>` : [],
  )
  return xml(['<Projects>', ...lines, '</Projects>'].join('\n'), ccXmlType)
}

function membersOf(
  site: { publicUrl: string },
  repository: Repository,
  { number, state, started_at, finished_at }: Shown,
) {
  const slug = slugOf(repository)
  const last = finished_at ?? started_at
  return {
    name: slug,
    activity: state === 'started' ? 'Building' : 'Sleeping',
    lastBuildStatus: statuses[state] ?? 'Unknown',
    lastBuildLabel: String(number),
    ...(last ? { lastBuildTime: shownTime(last) } : {}),
    webUrl: repositoryUrl(site, slug),
  }
}

const attributes = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('')
