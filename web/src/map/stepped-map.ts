import { type AnimationOptions, Map as MapLibre, type MapOptions } from 'maplibre-gl';

/**
 * A map each click of which on a zoom button counts. MapLibre counts from the zoom that an animation has reached so far: a
 * second click while the first one is still shown would have almost no effect.
 */
export class SteppedMap extends MapLibre {
  /** of the step that is being shown */
  #target: number | undefined;

  constructor(options: MapOptions) {
    super(options);
    this.on('moveend', () => {
      this.#target = undefined;
    });
  }

  override zoomIn(options?: AnimationOptions, eventData?: unknown): this {
    return this.#step(1, options, eventData);
  }

  override zoomOut(options?: AnimationOptions, eventData?: unknown): this {
    return this.#step(-1, options, eventData);
  }

  #step(by: number, options?: AnimationOptions, eventData?: unknown): this {
    const wanted = (this.#target ?? this.getZoom()) + by;
    const zoom = Math.min(Math.max(wanted, this.getMinZoom()), this.getMaxZoom());
    // ends the step that is shown, and itself at once for users who want no animations
    this.zoomTo(zoom, options, eventData);
    this.#target = this.isMoving() ? zoom : undefined;
    return this;
  }
}
