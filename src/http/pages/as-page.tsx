import type { FunctionComponent } from 'preact'
import { html } from '../core/answer.ts'
import type { Call } from '../core/endpoint.ts'
import { frameOf } from './frame.ts'
import type { Frame } from './parts/layout.tsx'
import { renderPage } from './render-page.ts'

interface PageContext {
  frame: Frame
  now: Date
}

/** Presents records as a page. */
export function asPage<Props extends Pick<PageContext, 'frame'>>(Page: FunctionComponent<Props>) {
  return (read: Omit<Props, keyof PageContext>, { ctx, viewer }: Call) => {
    const context = { frame: frameOf(ctx.site, viewer), now: ctx.now() }
    const props = { ...read, ...context } as unknown as Props
    return html(renderPage(<Page {...props} />))
  }
}
