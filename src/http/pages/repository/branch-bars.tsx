import type { Build } from '../../../domain/build.ts'
import { durationText } from '../parts/duration.tsx'
import { stateClass, stateLabels } from '../parts/state-badge.tsx'

interface BranchBarsProps {
  /** Newest first. */
  builds: readonly Build[]
  branch: string
  hrefOf: (build: Build) => string
}

/** The last builds of a branch as bars, oldest first; the height shows how long the jobs took. */
export function BranchBars({ builds, branch, hrefOf }: BranchBarsProps) {
  if (builds.length < 2) return null
  const longest = Math.max(1, ...builds.map(({ duration }) => duration ?? 0))
  return (
    <figure class="bars">
      <figcaption class="faint">
        The last {builds.length} builds of <bdi>{branch}</bdi>
      </figcaption>
      <ol>
        {builds.toReversed().map((build) => {
          const took = build.duration === null ? '' : `, ${durationText(build.duration)}`
          const text = `#${build.number}: ${stateLabels[build.state]}${took}`
          return (
            <li>
              <a
                class={`tenths-${tenthsOf(build, longest)} ${stateClass(build.state)}`}
                href={hrefOf(build)}
                title={text}
              >
                <span class="unseen">{text}</span>
              </a>
            </li>
          )
        })}
      </ol>
    </figure>
  )
}

/** The height, in ten steps. */
function tenthsOf({ duration }: Build, longest: number): number {
  return Math.max(1, Math.ceil(((duration ?? 0) / longest) * 10))
}
