import { type BuildState, buildStates } from '../../../domain/build.ts'
import { type EventType, eventTypes } from '../../../domain/request/request.ts'
import type { Given } from '../../parameters/nest.ts'
import { eventLabels } from '../parts/commit-text.tsx'
import { stateLabels } from '../parts/state-badge.tsx'
import { textInQuery } from '../text-in-query.ts'

/** The filter of a list of builds; empty fields have no effect. */
export interface BuildFilterForm {
  branch: string
  state: BuildState | ''
  event: EventType | ''
  /** The login of the user who triggered them. */
  by: string
  /** The number of a pull request. */
  pull: string
}

/** The filter in the query of an address. */
export function filterIn(query: Given): BuildFilterForm {
  const text = (name: string) => textInQuery(query, name)
  return {
    branch: text('branch'),
    state: buildStates.find((state) => state === query.state) ?? '',
    event: eventTypes.find((type) => type === query.event) ?? '',
    by: text('by'),
    // The largest number that the column can hold has ten digits.
    pull: /^#?(\d{1,9})$/.exec(text('pull'))?.[1] ?? '',
  }
}

export function isFiltered(filter: BuildFilterForm): boolean {
  return Object.values(filter).some((value) => value !== '')
}

/** The filter as the query of an address, which can be shared. */
export function queryOf(filter: BuildFilterForm): URLSearchParams {
  return new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))
}

/** A form that puts the filter into the address. */
export function Filters({ filter, href }: { filter: BuildFilterForm; href: string }) {
  const { branch, state, event, by, pull } = filter
  return (
    <form class="filters" action={href} role="search" aria-label="Filter the builds">
      <label>
        Branch
        <input name="branch" value={branch} autocapitalize="off" spellcheck={false} />
      </label>
      <label>
        State
        <select name="state">
          <option value="">any</option>
          {buildStates.map((each) => (
            <option value={each} selected={each === state}>
              {stateLabels[each]}
            </option>
          ))}
        </select>
      </label>
      <label>
        Event
        <select name="event">
          <option value="">any</option>
          {eventTypes.map((each) => (
            <option value={each} selected={each === event}>
              {eventLabels[each]}
            </option>
          ))}
        </select>
      </label>
      <label>
        By
        <input name="by" value={by} autocapitalize="off" spellcheck={false} />
      </label>
      <label>
        Pull request
        <input name="pull" value={pull} inputmode="numeric" pattern="#?[0-9]{1,9}" />
      </label>
      <button>Filter</button>
      {isFiltered(filter) && <a href={href}>Show all</a>}
    </form>
  )
}
