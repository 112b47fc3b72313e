import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useIsDark } from '../../parts/dark.ts';
import { useSession } from '../../session.tsx';

interface ChartProps {
  readonly caption: string;
  readonly points: readonly { readonly at: number; readonly value: number | null }[];
  readonly at: number;
  readonly onPick: (at: number) => void;
}

const HEIGHT = 160;

/** Hours and minutes, and seconds where the marks are closer than a minute. */
const clocksIn =
  (zone: string) =>
  (_: uPlot, marks: number[], __: number, ___: number, distance: number): string[] => {
    const seconds = distance < 60 ? ({ second: '2-digit' } as const) : {};
    const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone } as const;
    const format = new Intl.DateTimeFormat('en-GB', { ...clock, ...seconds });
    return marks.map((mark) => format.format(mark * 1_000));
  };

/** As a canvas takes it: it does not know `light-dark()`. */
function colorOf(element: HTMLElement, name: string): string {
  element.style.color = `var(${name})`;
  const { color } = getComputedStyle(element);
  element.style.color = '';
  return color;
}

/** A click sets the time of the replay. */
export function Chart({ caption, points, at, onPick }: ChartProps) {
  const { zone } = useSession();
  const isDark = useIsDark();
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const pick = useRef(onPick);
  pick.current = onPick;
  useEffect(() => {
    const element = box.current;
    // the colors of the page are those of the theme
    void isDark;
    if (element === null) return;
    const axis = { stroke: colorOf(element, '--quiet'), grid: { stroke: colorOf(element, '--line') } };
    const made = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), zone),
        axes: [
          { ...axis, values: clocksIn(zone) },
          { ...axis, size: 45 },
        ],
        series: [{}, { stroke: colorOf(element, '--accent'), width: 1.5 }],
      },
      [points.map((point) => point.at / 1_000), points.map(({ value }) => value)],
      element,
    );
    chart.current = made;
    const clicked = (): void => {
      const { left } = made.cursor;
      if (left !== undefined && left >= 0) pick.current(made.posToVal(left, 'x') * 1_000);
    };
    made.over.addEventListener('click', clicked);
    const resized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      made.destroy();
    };
  }, [points, zone, isDark]);
  useEffect(() => {
    const made = chart.current;
    if (made !== undefined) made.setCursor({ left: made.valToPos(at / 1_000, 'x'), top: HEIGHT / 2 }, false);
  }, [at]);
  return (
    <figure>
      <figcaption>
        {caption} <span className="quiet">{zone}</span>
      </figcaption>
      <div ref={box} className="chart" />
    </figure>
  );
}
