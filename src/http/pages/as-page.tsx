import type { FunctionComponent } from 'preact'
import { html } from '../answer.ts'
import type { Call } from '../endpoint.ts'
import { frameOf } from './frame.ts'
import type { Frame } from './parts/layout.tsx'
import { renderPage } from './render-page.ts'

interface Around {
  frame: Frame
  now: Date
}

/** Presents what was read as a page. */
export function asPage<Props extends Pick<Around, 'frame'>>(Page: FunctionComponent<Props>) {
  return (read: Omit<Props, keyof Around>, { ctx, viewer }: Call) => {
    const around = { frame: frameOf(ctx.site, viewer), now: ctx.now() }
    const props = { ...read, ...around } as unknown as Props
    return html(renderPage(<Page {...props} />))
  }
}
