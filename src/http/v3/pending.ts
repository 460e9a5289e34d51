import { type Presenter, as, pending, showing } from './presented.ts'
import type { Resource } from './resource.ts'

/** Presents a record that is about to change, as it is now. */
export function changing<T extends object>(
  resource: Resource<T>,
  state_change: 'cancel' | 'replay' | 'resend' | 'restart',
): Presenter<T> {
  const { type } = resource
  const shown = as('minimal', resource)
  const present = (record: T) => pending(type, { [type]: shown(record), state_change })
  return showing(shown.shows, present, 202)
}
