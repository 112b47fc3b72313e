# syntax=docker/dockerfile:1
# One image for every role: ROLE=all (default, with its own PostgreSQL), api, gateway.

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY protocols protocols
COPY src src
RUN node scripts/ready.mjs

FROM node:24-slim AS production
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# A registry mirror may lack packages of other platforms, which ci requires; the versions are those of the lock file.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund || npm install --omit=dev --no-save --ignore-scripts --no-audit --no-fund

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 GATEWAY_HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY --from=production /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
RUN install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
# REST API, or health and metrics of a gateway; device port for all protocols
EXPOSE 8080 5300/tcp 5300/udp
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "dist/src/cli/main.js"]
CMD ["serve"]
